# What a row may change, and how it is given back before the next. SPDX-License-Identifier: MIT

# ---- The world: what a row may change and gets back ----

# Modules that change nothing for other rows by their usual means, or only what RESETS undoes.
QUIET = frozenset(
    "__future__ abc array base64 binascii bisect cmath collections colorsys contextlib copy "
    "dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq hmac "
    "html ipaddress itertools json keyword locale math numbers numpy operator random re secrets "
    "statistics string stringprep struct textwrap time types typing unicodedata uuid warnings "
    "zlib zoneinfo".split())
LOUD = frozenset(
    "__builtins__ __dict__ __globals__ __import__ _os _sys breakpoint builtins compile delattr "
    "eval exec globals importlib input memmap modules open os save savetxt savez savez_compressed "
    "setattr sys tofile vars".split())
PRINTING = frozenset("print stdout stderr warn".split())
# Words that set an attribute where no assignment shows it, and those that lead to modules which
# nothing in the text names.
SETTING = frozenset(
    "__delattr__ __dict__ __globals__ __setattr__ compile delattr eval exec f_builtins f_globals "
    "modules reload setattr vars".split())
FAR = HIDING | frozenset(
    "__builtins__ __dict__ __globals__ __import__ __self__ __subclasses__ compile eval exec "
    "f_builtins f_globals gc globals importlib inspect modules vars".split())


def save_world():
    WORLD.update(
        environment=dict(posix.environ), directory=posix.getcwd(), umask=posix.umask(0),
        path=(sys.path, list(sys.path)), argv=(sys.argv, list(sys.argv)),
        recursion=sys.getrecursionlimit(), filters=list(warning_filters()))
    posix.umask(WORLD["umask"])
    WORLD["digits"] = getattr(sys, "get_int_max_str_digits", int)()
    WORLD["signals"] = signal_handlers()
    WORLD["modules"], WORLD["switches"] = set(sys.modules), sys.getswitchinterval()
    os, numpy = sys.modules.get("os"), sys.modules.get("numpy")
    if "time" in sys.modules:
        WORLD["tzname"] = sys.modules["time"].tzname
    if os is not None:
        WORLD["environ"] = os.environ
    if "decimal" in sys.modules:
        WORLD["decimal"] = sys.modules["decimal"].DefaultContext.copy()
    if numpy is not None:
        WORLD["numpy"] = numpy.geterr(), numpy.get_printoptions()


def sets_attributes(text):
    """Whether a row could set those of a module."""
    return bool((text.sets or text.words & SETTING) and (text.imports or text.words & FAR))


def save_modules(text, is_unchanged):
    """What reset_modules gives back, of the modules that a row could reach."""
    WORLD["is_unchanged"] = is_unchanged
    modules = WORLD["registry"] = sys.modules
    WORLD["loaded"], WORLD["spaces"] = {}, []
    if not sets_attributes(text):
        return
    found = loaded = {name: module for name, module in modules.items()
                      if isinstance(module, MODULE) and name != "__main__"}
    if text.words & FAR:
        WORLD["loaded"] = loaded
    else:
        found = {name: module for name, module in loaded.items()
                 if name.rpartition(".")[2] in text.words}
        for module in loaded.values():
            found.update((value.__name__, value) for name, value in vars(module).items()
                         if name in text.words and isinstance(value, MODULE))
    WORLD["spaces"] = [save_space(vars(module)) for module in set(found.values())]


def save_space(space):
    return space, list(space), list(space.values())


def warning_filters():
    from _warnings import filters
    return filters


def open_streams():
    for fd, name, mode in (0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"):
        stream = open(fd, mode, 1, "utf-8", "backslashreplace", closefd=False)
        WORLD[name] = stream
        setattr(sys, name, stream)
        setattr(sys, "__%s__" % name, stream)


def flush_output():
    for stream in WORLD.get("stdout"), WORLD.get("stderr"):
        try:
            stream.flush()
        except BaseException:
            pass


def reset_streams():
    for name in "stdin", "stdout", "stderr":
        try:
            if WORLD[name].closed or getattr(sys, name) is not WORLD[name]:
                raise ValueError
        except (AttributeError, ValueError):  # ValueError: detached
            return open_streams()


def reset_process():
    os = sys.modules.get("os")
    if os is not None and "environ" in WORLD:
        os.environ = WORLD["environ"]
    if os is not None and os.environ._data != WORLD["environment"]:
        os.environ.clear()
        for name, value in WORLD["environment"].items():
            os.environ[os.fsdecode(name)] = os.fsdecode(value)
    time = sys.modules.get("time")
    if time is not None:
        time.tzset()
        time.tzname = WORLD.get("tzname", time.tzname)
    posix.chdir(WORLD["directory"])
    posix.umask(WORLD["umask"])
    gc.enable()
    reset_sys()
    if WORLD["owns_tmp"]:
        empty_tmp()
        forget_modules()


def reset_modules():
    modules = WORLD["registry"]
    for name, module in WORLD["loaded"].items():
        if modules.get(name) is not module:
            modules[name] = module
    spaces = WORLD["spaces"]
    for number, (space, names, values) in enumerate(spaces):
        if not WORLD["is_unchanged"](space, names, values):
            spaces[number] = reset_space(space, dict(zip(names, values)))


def reset_space(space, saved):
    """In the order that it had. A module of a package that was loaded meanwhile stays."""
    left = dict(space)  # lives until all is right again, for what dies may run code of the body
    package = str(saved.get("__name__"))
    for name, value in left.items():
        if name not in saved and WORLD["registry"].get("%s.%s" % (package, name)) is value:
            saved[name] = value
    space.clear()
    space.update(saved)
    return save_space(space)


def reset_sys():
    for name in "path", "argv":
        items, saved = WORLD[name]
        items[:] = saved
        setattr(sys, name, items)
    for name in "excepthook", "displayhook", "unraisablehook":
        setattr(sys, name, getattr(sys, "__%s__" % name))
    sys.settrace(None)
    sys.setprofile(None)
    sys.setrecursionlimit(WORLD["recursion"])
    sys.setswitchinterval(WORLD["switches"])
    if WORLD["digits"]:
        sys.set_int_max_str_digits(WORLD["digits"])


def forget_modules():
    """Those that a row wrote into /tmp and imported."""
    for name in sys.modules.keys() - WORLD["modules"]:
        if str(getattr(sys.modules[name], "__file__", "")).startswith("/tmp/"):
            del sys.modules[name]
    for path in [path for path in sys.path_importer_cache if path.startswith("/tmp")]:
        del sys.path_importer_cache[path]


def owns_tmp(function):
    """Whether /tmp is this worker's alone: the host says so, and it is still empty."""
    return (function.flags & OWN_TMP and WORLD["directory"] == "/tmp"
            and not posix.listdir("/tmp"))


def empty_tmp():
    """Flattens before it removes, so that no depth of directories is too deep."""
    number = 0
    while True:
        entries = list(posix.scandir(b"/tmp"))
        if not entries:
            return
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                posix.unlink(entry.path)
                continue
            posix.chmod(entry.path, 0o700)
            for child in list(posix.scandir(entry.path)):
                if child.is_dir(follow_symlinks=False):
                    posix.chmod(child.path, 0o700)  # a folder moves only if it can be written
                number += 1
                posix.rename(child.path, b"/tmp/.extfn-%d" % number)
            posix.rmdir(entry.path)


def reset_random():
    modules = sys.modules
    if "random" in modules:
        modules["random"].seed(0)
    if "numpy.random" in modules:
        modules["numpy.random"].seed(0)


def reset_decimal():
    decimal = sys.modules.get("decimal")
    if decimal is None:
        return
    saved, default = WORLD.get("decimal", decimal.DefaultContext), decimal.DefaultContext
    for name in "prec rounding Emin Emax capitals clamp traps flags".split():
        setattr(default, name, getattr(saved, name))
    decimal.setcontext(decimal.Context())


def signal_handlers():
    import _signal
    return {number: _signal.getsignal(number) for number in range(1, _signal.NSIG)}


def reset_signals():
    """A row's alarm must not reach the next one."""
    import _signal
    for timer in _signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF:
        _signal.setitimer(timer, 0)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, WORLD["mask"])
    for number, handler in signal_handlers().items():
        if handler is not WORLD["signals"][number]:
            _signal.signal(number, WORLD["signals"][number])


def reset_logging():
    logging = sys.modules.get("logging")
    if logging is None:
        return
    logging.disable(0)
    named = list(logging.root.manager.loggerDict.values())
    for logger in [logging.root] + [one for one in named if isinstance(one, logging.Logger)]:
        logger.handlers[:] = []
        logger.setLevel(logging.WARNING if logger is logging.root else 0)
        logger.disabled, logger.propagate = False, True


def reset_locale():
    import _locale
    _locale.setlocale(_locale.LC_ALL, "C")
    _locale.setlocale(_locale.LC_CTYPE, "")


def reset_warnings():
    import _warnings
    _warnings.filters[:] = WORLD["filters"]
    warnings = sys.modules.get("warnings")
    if warnings is not None:
        warnings.filters = _warnings.filters
    for module in _warnings, warnings:
        getattr(module, "_filters_mutated", int)()


def reset_numpy():
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.seterr(**WORLD["numpy"][0])
        numpy.set_printoptions(**WORLD["numpy"][1])


RESETS = {
    "random": reset_random, "samples": reset_random, "decimal": reset_decimal,
    "locale": reset_locale, "warnings": reset_warnings, "seterr": reset_numpy,
    "set_printoptions": reset_numpy,
}
# What holds file objects comes before descriptors.
ALL_RESETS = [reset_logging, reset_streams, reset_descriptors, reset_settings, reset_process,
              reset_random, reset_decimal, reset_locale, reset_warnings, reset_numpy, reset_signals]


def find_resets(text):
    if text.modules - QUIET or text.words & LOUD:
        return ALL_RESETS
    return [RESETS[word] for word in sorted(RESETS.keys() & text.words)]


def find_hooks(text):
    resets = find_resets(text)
    is_printing = resets is ALL_RESETS or text.words & PRINTING
    hooks = [flush_output] if is_printing else []
    if sets_attributes(text):
        hooks.append(reset_modules)
    return hooks + list(resets)


def make_after(hooks):
    """What ends a row: None, or what never raises and tells whether the worker is worn."""
    def reset_world():
        for hook in hooks:
            try:
                hook()
            except BaseException:
                pass
        return is_worn()
    return reset_world if hooks else None


def import_ahead(text):
    """Loads what the body imports, so that its first row finds the same world as the others."""
    for module, names in text.imports:
        try:
            __import__(module, {}, {}, names)
        except BaseException:
            pass
    if text.words & DYNAMIC or "importlib" in text.words:
        import random  # noqa: F401, it may come by a name that the text does not show
