"""Runs a notebook and prints what its cells print: notebook.py FILE [OUT]. OUT gets the notebook with its outputs."""

import json
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)


def printed(cells):
    texts = ["".join(output.get("text", "") for output in cell.get("outputs", [])) for cell in cells]
    return [text for text in texts if text]


kept = printed(notebook.cells)
NotebookClient(notebook, timeout=240, record_timing=False).execute()
if len(sys.argv) > 2:
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, sys.argv[2])
print(json.dumps({"kept": kept, "printed": printed(notebook.cells)}))
