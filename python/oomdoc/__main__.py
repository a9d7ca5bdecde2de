"""python -m oomdoc is the program itself."""

import os
import subprocess
import sys

from ._program import OomdocError, find_program


def main():
    try:
        command = [find_program(), *sys.argv[1:]]
    except OomdocError as e:
        sys.exit("oomdoc: %s" % e)
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.call(command))


if __name__ == "__main__":
    main()
