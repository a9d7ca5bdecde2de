"""Executes a notebook end to end and looks at what its cells show. Wants nbformat, nbclient and ipykernel."""

import nbformat
from nbclient import NotebookClient

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
NotebookClient(book, timeout=120, allow_errors=True).execute()


def shown(cell):
    kinds, text = [], ""
    for o in cell.outputs:
        kinds.append(o.output_type)
        text += o.get("text", "") + "".join(o.get("traceback", [])) + "".join(o.get("data", {}).values())
    return kinds, text


watched, magic, other, value, last = [shown(c) for c in book.cells[1:]]
assert "OutOfMemoryError" in watched[1] and watched[1].count("cause fragmentation") == 1, watched
assert "oomdoc.facts/v1 {" in watched[1], watched
assert "display_data" in magic[0] and "<code>fragmentation</code>" in magic[1], magic
assert "oomdoc" not in other[1].replace("%load_ext oomdoc", "") and "KeyError" in other[1], other
assert "execute_result" in value[0] and "<code>fragmentation</code>" in value[1], value
assert last[1] == "still here\n", last
print("%d cells show what they must" % len(book.cells))
