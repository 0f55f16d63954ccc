# Setup, then calls until the host closes the pipe. SPDX-License-Identifier: MIT


def prepare(function, guest):
    """All that comes before the first row. Raises Failure or what the compiler raised."""
    function.sealed = seal(guest) if function.flags & SEAL else 0
    sys.stdout = sys.stderr = None  # no warnings about the text, nothing from modules that load
    function.epoch = function.delta = None
    if DATETIME in function.types or function.return_type == DATETIME:
        from datetime import datetime, timedelta, timezone
        function.epoch, function.delta = datetime(1970, 1, 1, tzinfo=timezone.utc), timedelta
    compile_body(function)
    import_ahead(function.text)
    if function.flags & VECTORIZED:
        import_ahead_numpy()
    open_streams()
    save_world()
    WORLD["owns_tmp"] = owns_tmp(function)
    if function.after:
        function.after()
    gc.freeze()


def import_ahead_numpy():
    try:
        import numpy  # noqa: F401, found by what passes columns
    except BaseException:
        pass


def main():
    sys.modules["__main__"] = MODULE("__main__")
    guest = sys.argv[1] if len(sys.argv) > 1 else ""
    if sys.path and not sys.flags.__class__.__dict__.get("safe_path"):
        sys.path[:] = [path for path in sys.path if path != __file__.rpartition("/")[0]]
    sys.argv[:] = [""]
    request = mmap.mmap(REQUEST_MAP, MAP_SIZE, prot=mmap.PROT_READ)
    memory = mmap.mmap(REPLY_MAP, MAP_SIZE)
    _, call, _, _ = read_frame(SETUP)
    function = read_setup(request)
    try:
        prepare(function, guest)
    except BaseException as failure:
        reason, message = FAILURE_BODY, None
        if isinstance(failure, Failure):
            reason, message = failure.args
        elif isinstance(failure, MemoryError):  # the parser raises it at any nesting too deep
            message = TOO_LARGE_BODY
        Reply(memory, call, 1, TEXT).write_value(
            0, cut_message(message) if message else describe_failure(failure)[1], ERROR)
        send_frame(FAILED, call, 0, 1, reason)
        _exit(0)
    send_frame(READY, call, 0, 1, function.sealed)
    run = run_vectorized if function.flags & VECTORIZED else run_rows
    while True:
        _, call, _, rows = read_frame(CALL)
        memory[:4] = call.to_bytes(4, "little")  # from here on its rows count as begun
        reply = Reply(memory, call, rows, function.return_type)
        detail = run(function, request, read_columns(function, request, rows), reply)
        send_frame(DONE, call, 0, rows, detail)


if __name__ == "__main__":
    try:
        main()
    except BaseException as failure:  # a bug, or a body that closed our descriptors
        write(2, b"driver: %s\n" % describe_failure(failure)[1])
        _exit(3)
