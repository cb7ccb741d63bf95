"""The program `tycho`, which came with the package."""

import os
import sys

from ._about import share


def main():
    """Becomes the program."""
    program = os.path.join(os.path.dirname(share()), "bin", "tycho")
    if not os.path.exists(program):
        sys.exit("tycho: the program came with a wheel only; in a source tree it is build/tycho")
    os.execv(program, ["tycho"] + sys.argv[1:])
