# extfn: links(secret: text) -> text impure
# expect: BLOCKED ENOENT EXDEV
# layer: mounts tmpfs-size
# Links from /tmp to what is outside of it, symbolic and hard ones.
import errno
import json
import os


def attempt(function, *paths):
    try:
        function(*paths)
        return "REACHED"
    except OSError as failure:
        return errno.errorcode[failure.errno]


os.symlink(secret, "/tmp/hostile-link")
os.symlink("/tmp/hostile-round", "/tmp/hostile-round")
outcomes = [attempt(open, "/tmp/hostile-link"),
            attempt(os.link, json.__file__, "/tmp/hostile-file"),
            attempt(os.rename, json.__file__, "/tmp/hostile-file")]
result = " ".join(sorted(set(outcomes) - {"EROFS"}))
