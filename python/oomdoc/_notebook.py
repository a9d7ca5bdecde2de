"""%%oomdoc in notebooks."""

import sys

from . import _watch
from ._report import diagnose


def load(shell):
    _watch.watch()
    shell.register_magic_function(_cell, "cell", "oomdoc")


def unload(shell):
    _watch.unwatch()
    shell.magics_manager.magics["cell"].pop("oomdoc", None)


def _cell(line, cell):
    """%%oomdoc: runs the cell, and where its memory fails shows the diagnosis below the traceback, as the cell's result."""
    from IPython import get_ipython
    from IPython.display import display

    shell = get_ipython()
    watched = bool(_watch._previous)
    if watched:
        _watch.unwatch()  # the diagnosis is shown once
    try:
        done = shell.run_cell(cell)
    finally:
        if watched:
            _watch.watch()
    error = done.error_in_exec
    if error is None or not _watch.of_memory(error):
        return
    try:
        display(diagnose(error))
    except Exception as trouble:
        print("oomdoc: %s" % trouble, file=sys.stderr)
