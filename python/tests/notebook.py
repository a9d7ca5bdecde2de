"""Executes a notebook end to end and looks at what its cells show. Wants nbformat, nbclient and ipykernel."""

import json
import os
import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

# A kernel of this Python, whatever others there are.
jupyter = tempfile.mkdtemp()
os.environ["JUPYTER_PATH"] = jupyter
kernel = pathlib.Path(jupyter, "kernels", "this")
kernel.mkdir(parents=True)
argv = [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
(kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "this", "language": "python"}))

FAILS = "raise stub_torch.OutOfMemoryError(stub_torch.MESSAGE)"

book = nbformat.v4.new_notebook()
book.cells = [nbformat.v4.new_code_cell(text) for text in (
    "import stub_torch; stub_torch.make()\n%load_ext oomdoc",
    FAILS,
    "%%oomdoc\n" + FAILS,
    "raise KeyError('x')",
    "import oomdoc\noomdoc.diagnose(%r + '\\n')" % ("torch.OutOfMemoryError: " + __import__("stub_torch").MESSAGE),
    "%unload_ext oomdoc\nprint('still here')",
)]
NotebookClient(book, timeout=120, allow_errors=True, kernel_name="this").execute()


def shown(cell):
    kinds, text = [], ""
    for o in cell.outputs:
        kinds.append(o.output_type)
        text += o.get("text", "") + "".join(o.get("traceback", [])) + "".join(o.get("data", {}).values())
    return kinds, text


first, watched, magic, other, value, last = [shown(c) for c in book.cells]
assert first == ([], ""), first
assert "OutOfMemoryError" in watched[1] and watched[1].count("cause fragmentation") == 1, watched
assert "oomdoc.facts/v1 {" in watched[1], watched
assert "display_data" in magic[0] and "<code>fragmentation</code>" in magic[1], magic
assert "oomdoc" not in other[1].replace("%load_ext oomdoc", "") and "KeyError" in other[1], other
assert "execute_result" in value[0] and "<code>fragmentation</code>" in value[1], value
assert last[1] == "still here\n", last
print("%d cells show what they must" % len(book.cells))
