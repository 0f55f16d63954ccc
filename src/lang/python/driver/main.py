# Setup, then calls until the host closes the pipe. SPDX-License-Identifier: MIT


def prepare(function, guest):
    """All that comes before the first row. Raises Failure or what the compiler raised."""
    function.sealed = seal(guest) if function.flags & SEAL else 0
    sys.stdout = sys.stderr = None  # no warnings about the text, nothing from modules that load
    compile_body(function)
    import_ahead(function.text)
    if function.flags & VECTORIZED:
        import_ahead_numpy()
    open_streams()
    save_world()
    if find_resets(function.text) is ALL_RESETS:
        save_leftovers()
    save_modules(function.text, guest.is_unchanged)
    WORLD["owns_tmp"] = owns_tmp(function)
    guest.serve(function.run, [function.numbers[name] for name in function.parameters],
                function.check, function.after, make_moments(function))
    if function.after:
        function.after()
    gc.freeze()


def make_moments(function):
    """What makes a datetime of microseconds, where one is needed."""
    if DATETIME not in function.types:
        return None
    from datetime import datetime, timedelta, timezone
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    return lambda microseconds: epoch + timedelta(0, 0, microseconds)


def import_ahead_numpy():
    try:
        import numpy  # noqa: F401, found by what passes columns
    except BaseException:
        pass


def main():
    sys.modules["__main__"] = MODULE("__main__")
    path = sys.argv[1] if len(sys.argv) > 1 else ""
    if sys.path and not sys.flags.__class__.__dict__.get("safe_path"):
        sys.path[:] = [path for path in sys.path if path != __file__.rpartition("/")[0]]
    sys.argv[:] = [""]
    try:
        guest = load_guest(path)
    except (ImportError, AttributeError) as failure:
        refuse_to_start(cut_message("guest library not loaded: %s" % failure))
    if not guest.open_maps():
        _exit(2)
    read_frame(guest, SETUP)
    function = read_setup(guest)
    try:
        prepare(function, guest)
    except BaseException as failure:
        reason, message = FAILURE_BODY, None
        if isinstance(failure, Failure):
            reason, message = failure.args
        elif isinstance(failure, MemoryError):  # the parser raises it at any nesting too deep
            message = TOO_LARGE_BODY
        guest.write_error(cut_message(message) if message else describe_failure(failure)[1],
                          False, False)
        send_frame(guest, FAILED, reason)
        _exit(0)
    send_frame(guest, READY, function.sealed)
    run = run_vectorized if function.flags & VECTORIZED else run_rows
    while True:
        read_frame(guest, CALL)
        send_frame(guest, DONE, run(function, guest))


if __name__ == "__main__":
    try:
        main()
    except BaseException as failure:  # a bug, or a body that closed our descriptors
        write(2, b"driver: %s\n" % describe_failure(failure)[1])
        _exit(3)
