"""The type files (.pyi) of the package name what it has, with the same arguments, and everything public has a docstring."""

import ast
import inspect
import os
import sys

import tycho

wrong = []
with open(os.path.join(os.path.dirname(tycho.__file__), "__init__.pyi")) as f:
    tree = ast.parse(f.read())


def arguments(node):
    a = node.args
    return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + [x.arg for x in (a.vararg, a.kwarg) if x]


def compare(where, node, thing):
    try:
        have = [p for p in inspect.signature(thing).parameters]
    except (TypeError, ValueError):
        return  # made in C
    if sorted(have) != sorted(arguments(node)):
        wrong.append(f"{where}{tuple(have)} is {tuple(arguments(node))} in the type files")


names = set()
for node in tree.body:
    if isinstance(node, ast.FunctionDef):
        names.add(node.name)
        compare(node.name, node, getattr(tycho, node.name, None))
    if isinstance(node, ast.AnnAssign):
        names.add(node.target.id)
    if not isinstance(node, ast.ClassDef):
        continue
    names.add(node.name)
    kind = getattr(tycho, node.name, None)
    members = {n.name if isinstance(n, ast.FunctionDef) else n.target.id for n in node.body if isinstance(n, (ast.FunctionDef, ast.AnnAssign))}
    for n in node.body:
        if isinstance(n, ast.FunctionDef) and not n.decorator_list and n.name in vars(kind):
            compare(f"{node.name}.{n.name}", n, vars(kind)[n.name])
    for name, value in vars(kind).items():
        if name.startswith("_") or name in ("with_traceback",):
            continue
        if name not in members and not issubclass(kind, Exception):
            wrong.append(f"{node.name}.{name} is not in the type files")
        if (callable(value) or isinstance(value, property)) and not (getattr(value, "__doc__", None) or "").strip():
            wrong.append(f"{node.name}.{name} has no docstring")
    missing = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} - set(dir(kind))
    wrong += [f"{node.name}.{m} is in the type files alone" for m in missing]
for name in tycho.__all__:
    if name not in names:
        wrong.append(f"{name} is not in the type files")
    if not (getattr(tycho, name).__doc__ or "").strip():
        wrong.append(f"{name} has no docstring")
wrong += [f"{n} is in the type files alone" for n in names if not hasattr(tycho, n)]
print("\n".join(wrong))
sys.exit(bool(wrong))
