"""Run in place of the driver: prints what a confined Python sees."""
import ctypes
import datetime
import os
import ssl
import sys

NAMES = "b bin boot dev etc home lib lib64 media mnt opt proc root run sbin srv sys tmp usr var"
# Landlock hides the list.
print("root", *[name for name in NAMES.split() if os.path.lexists("/" + name)])
print("home", *os.listdir("/home")[:20])
print("tmp", *os.listdir("/tmp")[:20])
print("cwd", os.getcwd())
print("ids", os.getuid(), os.getgid())
print("name", os.uname().nodename)
print("environment", *sorted(os.environ))
print("packages", *[path for path in sys.path if path.endswith("-packages")])
print("arguments", *sys.argv)
print("hash", hash("a") == hash("a"), sys.flags.hash_randomization)
print("modules", ctypes.sizeof(ctypes.c_long), datetime.MAXYEAR, ssl.HAS_SNI)
try:
    open("/b/new", "w")
except OSError as problem:
    print("write", problem.strerror)
