"""What can be checked: files, and what backtesting libraries keep in memory, as the bytes of a file."""

from __future__ import annotations

import os
from typing import Any

KINDS = (
    "a path, an open file, bytes, a pandas or polars Series or DataFrame, a vectorbt Portfolio, or the stats of backtesting.py"
)


def file_bytes(given: Any) -> bytes:
    """The file, or the object as CSV. The library of an object is never imported: the caller has."""
    if isinstance(given, (bytes, bytearray)):
        return bytes(given)
    if isinstance(given, (str, os.PathLike)):
        with open(given, "rb") as file:
            return file.read()
    library = type(given).__module__.partition(".")[0]
    if library.startswith("vectorbt") and hasattr(given, "returns"):
        given = _returns(given.returns() if callable(given.returns) else given.returns)
    elif library == "backtesting" or (library == "pandas" and "_equity_curve" in getattr(given, "index", ())):
        given = given["_equity_curve"]["Equity"]
    if library == "polars" and hasattr(given, "to_frame"):
        given = given.to_frame()
    for writer in ("to_csv", "write_csv"):
        if hasattr(given, writer):
            return str(getattr(given, writer)()).encode()
    if hasattr(given, "read"):
        content = given.read()
        return content.encode() if isinstance(content, str) else bytes(content)
    raise TypeError(f"cannot check a {type(given).__name__}; give {KINDS}")


def _returns(returns: Any) -> Any:
    """A Portfolio's returns. A single column is often named after the price that was traded, which it is not."""
    frame = returns.to_frame() if returns.ndim == 1 else returns
    return frame.set_axis(["returns"], axis=1) if frame.shape[1] == 1 else frame
