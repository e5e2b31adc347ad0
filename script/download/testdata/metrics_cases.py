"""Compute metrics: cases in JSON on stdin, blocks in JSON on stdout."""
import json
import sys

request = json.load(sys.stdin)
sys.path.insert(0, request["runtime"])

from metrics import compute  # noqa: E402

blocks = [compute(**case) for case in request["cases"]]
json.dump(blocks, sys.stdout, allow_nan=False)
