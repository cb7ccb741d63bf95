"""Runs the cells of a notebook in order, as Jupyter would, and shows what their last expressions give; run_notebook.py FILE. Or the blocks of ```python in a page."""

import ast
import json
import re
import sys

with open(sys.argv[1]) as f:
    text = f.read()
if sys.argv[1].endswith(".ipynb"):
    book = json.loads(text)
    assert book["nbformat"] == 4 and all({"cell_type", "id", "metadata", "source"} <= set(c) for c in book["cells"])
    cells = ["".join(c["source"]) for c in book["cells"] if c["cell_type"] == "code"]
else:
    cells = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
assert cells, "nothing to run"
names = {"__name__": "__main__"}
for number, cell in enumerate(cells):
    tree = ast.parse(cell, f"cell {number}")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {number}", "exec"), names)
    if last:
        shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        png = shown._repr_png_() if hasattr(shown, "_repr_png_") else None
        print(f"[{number}]", f"a picture of {len(png)} bytes" if png else shown)
print(len(cells), "cells")
