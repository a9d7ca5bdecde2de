"""Why memory failed in a vLLM or PyTorch log, and what helps.

    import oomdoc
    print(oomdoc.diagnose("server.log"))   # a path, a text, or an exception
    oomdoc.watch()                         # from here on, below every traceback of memory

The work is done by the program of the same name, which comes with this package. Nothing here imports torch.
"""

from ._program import OomdocError, find_program
from ._report import Cause, DeadEnd, Diagnosis, Incident, Remedy, diagnose
from ._watch import unwatch, watch

__all__ = [
    "Cause", "DeadEnd", "Diagnosis", "Incident", "OomdocError", "Remedy", "diagnose", "find_program", "unwatch", "watch",
]


def load_ipython_extension(shell):
    """%load_ext oomdoc: watches the notebook and adds %%oomdoc."""
    from ._notebook import load

    load(shell)


def unload_ipython_extension(shell):
    """%unload_ext oomdoc"""
    from ._notebook import unload

    unload(shell)
