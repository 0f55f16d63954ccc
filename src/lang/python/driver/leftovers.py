# What a row leaves in the process where no name leads to it. SPDX-License-Identifier: MIT

# ---- The world: descriptors, threads, limits, and what modules keep to themselves ----

DESCRIPTORS = range(3, 256)  # that a worker can have
# Threads that nobody waits for cannot be ended but with their process. At so many, a quarter of the
# limit, the worker asks to be replaced; a few that are about to end cost no new process.
THREADS_LIMIT = 8
# Functions by which modules are told something, with what they were told at the beginning.
SETTINGS = (
    ("_csv", "field_size_limit", 131072), ("_socket", "setdefaulttimeout", None),
    ("_thread", "stack_size", 0), ("gc", "set_debug", 0), ("threading", "setprofile", None),
    ("threading", "settrace", None), ("atexit", "_clear"))


def save_leftovers():
    import _signal
    import _thread
    import select
    poll = select.poll()
    for fd in DESCRIPTORS:
        poll.register(fd, 0)
    WORLD.update(
        poll=poll.poll, closed=poll.poll(0), lowest=lowest_closed(), threads=_thread._count,
        thresholds=gc.get_threshold(), mask=_signal.pthread_sigmask(_signal.SIG_BLOCK, ()))
    resource = sys.modules.get("resource")
    if resource is not None:
        kinds = {getattr(resource, name) for name in vars(resource) if name[:7] == "RLIMIT_"}
        WORLD["limits"] = {kind: resource.getrlimit(kind) for kind in kinds}


def lowest_closed():
    """The two lowest numbers without a descriptor: to ask for all takes twenty times longer. A row
    that closes two of three which it opened goes unseen. There may be none left."""
    lowest = []
    try:
        lowest += [posix.dup(0)]
        lowest += [posix.dup(0)]
    except OSError:
        pass
    for fd in lowest:
        posix.close(fd)
    return lowest


def reset_descriptors():
    """Closes what no living object will close."""
    if lowest_closed() == WORLD["lowest"]:
        return
    gc.collect()  # file objects that hold each other
    closed = WORLD["poll"](0)
    opened = {fd for fd, _ in WORLD["closed"]} - {fd for fd, _ in closed}
    for fd in opened - find_held() if opened else ():
        posix.close(fd)
    WORLD["closed"], WORLD["lowest"] = WORLD["poll"](0), lowest_closed()


def find_held():
    """Descriptors of file objects and sockets that outlive the row, in a module's list maybe."""
    import _io
    socket = getattr(sys.modules.get("_socket"), "socket", _io.FileIO)
    kinds, held = (_io.FileIO, socket), set()
    for item in gc.get_objects():
        for kind in kinds:
            if issubclass(type(item), kind):
                try:
                    held.add(kind.fileno(item))
                except ValueError:  # closed
                    pass
    return held


def reset_settings():
    for module, name, *values in SETTINGS:
        if module in sys.modules:
            getattr(sys.modules[module], name)(*values)
    gc.set_threshold(*WORLD["thresholds"])
    gc.callbacks.clear()
    for kind, limits in WORLD.get("limits", {}).items():
        if sys.modules["resource"].getrlimit(kind) != limits:
            sys.modules["resource"].setrlimit(kind, limits)


def is_worn():
    """Whether so many threads are left that a new process has to take the next row."""
    return "threads" in WORLD and WORLD["threads"]() >= THREADS_LIMIT
