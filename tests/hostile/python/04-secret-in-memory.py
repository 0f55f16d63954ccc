# extfn: secret_in_memory() -> text impure
# expect: BLOCKED nothing
# layer: environment
# opens: environment
# Looks for the host's environment around the own one, where the kernel puts it, page by page.
import ctypes
import re

libc = ctypes.CDLL(None)
PAGE = 4096


def page_at(address):
    seen = ctypes.create_string_buffer(1)
    is_there = libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(PAGE), seen) == 0
    return ctypes.string_at(address, PAGE) if is_there else b""


strings = ctypes.c_void_p.in_dll(libc, "environ").value
first = ctypes.c_void_p.from_address(strings).value // PAGE * PAGE
pages = [page_at(first + PAGE * i) for i in range(-64, 64)]
pages += [page_at(strings // PAGE * PAGE + PAGE * i) for i in range(-16, 16)]
found = re.search(b"canary" + b"-[0-9a-f]{32}", b"".join(pages))
result = f"REACHED {found.group()}" if found else "nothing"
