"""Read Python files as 3.9 would: names in JSON on stdin, what is wrong with each on stdout."""
import ast
import builtins
import io
import json
import sys
import tokenize


def problems(text):
    try:
        tree = ast.parse(text, feature_version=(3, 9))
    except SyntaxError as error:
        return [str(error)]
    scopes = [n for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    documented = {n.body[0].value.lineno for n in scopes if ast.get_docstring(n, clean=False) is not None}
    found = ["no docstring"] if ast.get_docstring(tree) is None else []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and "\n" in token.string and token.start[0] not in documented:
            found.append("line %d: a string over several lines would be indented" % token.start[0])
    return found + unbound(tree)


def unbound(tree):
    """The names that a file uses and does not bind anywhere."""
    used, bound = {}, set(dir(builtins)) | {"__name__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.setdefault(node.id, node.lineno)
        elif isinstance(node, ast.Name):
            bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update((a.asname or a.name).split(".")[0] for a in node.names)
    return ["line %d: %s is not bound" % (line, name) for name, line in used.items() if name not in bound]


answers = {}
for path in json.load(sys.stdin):
    with open(path, encoding="utf-8") as file:
        answers[path] = problems(file.read())
json.dump(answers, sys.stdout)
