# extfn: memory_in_children() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# Memory for each of ten processes, where only the memory of one is counted.
import errno
import multiprocessing

try:
    children = [multiprocessing.get_context("fork").Process(target=bytearray, args=(300 << 20,))
                for _ in range(10)]
    for child in children:
        child.start()
    result = f"REACHED {len(children)}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
