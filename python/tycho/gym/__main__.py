"""`python -m tycho.gym [ENVS [SECONDS]]`: see _bench.py."""

import sys

from ._bench import main

if __name__ == "__main__":
    main(*[int(a) for a in sys.argv[1:2]], *[float(a) for a in sys.argv[2:3]])
