# extfn: host_file_exists(secret: text, locked: text) -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Whether a file is there is worth knowing too.
found = filter(ispath, [secret, locked, "/etc/passwd", "/etc/shadow"])
result = isempty(found) ? "nothing" : "REACHED $found"
