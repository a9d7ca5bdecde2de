"""Hooks that print a diagnosis below the traceback of an exception of memory."""

import sys
import threading

from . import _facts
from ._report import diagnose

_previous = {}


def watch():
    """From here on, an exception of memory that nobody catches is followed by its diagnosis, on standard error.

    The traceback is printed as before, by whatever printed it before; exception and exit status stay as they are.
    In a notebook it works for cells too. Calling it again changes nothing."""
    if _previous:
        return
    _previous["sys"], _previous["threading"] = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = _uncaught, _uncaught_in_thread
    shell = _shell()
    if shell is not None:
        _previous["shell"] = shell
        shell.set_custom_exc((Exception,), _in_cell)


def unwatch():
    """Takes the hooks off, where nobody has put others above them."""
    if not _previous:
        return
    if sys.excepthook is _uncaught:
        sys.excepthook = _previous["sys"]
    if threading.excepthook is _uncaught_in_thread:
        threading.excepthook = _previous["threading"]
    shell = _previous.get("shell")
    if shell is not None:
        shell.set_custom_exc((), None)
    _previous.clear()


def of_memory(e):
    """Whether an exception, or one that it came from, is of memory."""
    seen = set()
    while e is not None and id(e) not in seen:
        seen.add(id(e))
        if isinstance(e, MemoryError) or any("OutOfMemory" in c.__name__ for c in type(e).__mro__):
            return True
        text = str(e).lower()
        if "out of memory" in text or "alloc_failed" in text or "can't allocate memory" in text:
            return True
        e = e.__cause__ or e.__context__
    return False


def tell(e, out=None):
    """Prints the facts and the diagnosis of an exception. Nothing that goes wrong here matters to the program."""
    out = out or sys.stderr
    try:
        if not of_memory(e):
            return
        facts = _facts.line()
        if facts:
            print(facts, file=out)
        found = diagnose(e)
        if found:
            print("\n%s" % found, file=out)
        out.flush()
    except Exception as trouble:
        try:
            print("oomdoc: %s" % trouble, file=out)
        except Exception:
            pass


def _uncaught(kind, e, tb):
    _previous.get("sys", sys.__excepthook__)(kind, e, tb)
    if e is not None:
        tell(e)


def _uncaught_in_thread(args):
    _previous.get("threading", threading.__excepthook__)(args)
    if args.exc_value is not None:
        tell(args.exc_value)


def _shell():
    ipython = sys.modules.get("IPython")
    try:
        return ipython.get_ipython() if ipython is not None else None
    except Exception:
        return None


def _in_cell(shell, kind, e, tb, tb_offset=None):
    shell.showtraceback((kind, e, tb), tb_offset=tb_offset)
    tell(e)
