"""The C++ run time for the libraries that came with a wheel: the system's, or the one beside them where it has none. Two of them in one process do not
go together, so the package never brings its own where there is one."""

import ctypes
import glob
import os

_own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "fallback")
for _name in ("libgcc_s.so.1", "libstdc++.so.6") if os.path.isdir(_own) else ():
    try:
        ctypes.CDLL(_name, ctypes.RTLD_GLOBAL)
    except OSError:
        for _path in glob.glob(os.path.join(_own, _name)):
            ctypes.CDLL(_path, ctypes.RTLD_GLOBAL)
