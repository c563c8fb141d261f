"""Requests and their repeats: a call waits as the server says, for a time that has a limit."""

from __future__ import annotations

import datetime
import json
import math
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any

import urllib3

from .built import VERSION
from .errors import HindsightError, Unavailable, error_type

KEPT_MAX = 256
LOST_MAX = 3
EXCERPT = 200
# A check waits for its turn, and may then take a minute.
CHECK_SECONDS = 150


class Connection:
    """The address and the key, with the answers that are kept to be asked for again by their entity tag."""

    def __init__(self, base: str, key: str, timeout: float, max_wait: float, cache: bool) -> None:
        self.base, self.max_wait = base, max_wait
        self._kept: dict[str, tuple[str, bytes]] | None = {} if cache else None
        agent = f"hindsight-backtests-python/{VERSION}"
        self._headers = {"Authorization": f"Bearer {key}", "User-Agent": agent, "Accept-Encoding": "gzip"}
        self._timeout = timeout
        self._pool = urllib3.PoolManager(retries=False)

    def get(self, path: str, accept: str) -> tuple[bytes, Mapping[str, str]]:
        """The body of an answer. A kept one costs nothing if it is still current."""
        name = f"{accept} {path}"
        kept = None if self._kept is None else self._kept.get(name)
        response = self.send("GET", path, {"Accept": accept} | ({"If-None-Match": kept[0]} if kept else {}))
        if response.status == 304 and kept:
            return kept[1], response.headers
        if self._kept is not None and "ETag" in response.headers:
            self._kept[name] = (response.headers["ETag"], response.data)
            if len(self._kept) > KEPT_MAX:
                del self._kept[next(iter(self._kept))]
        return response.data, response.headers

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> urllib3.BaseHTTPResponse:
        """An answer of status 200 or 304. Repeats 429, 503, and lost connections where a repeat is not charged twice."""
        repeatable = method == "GET" or "Idempotency-Key" in headers
        timeout = max(self._timeout, CHECK_SECONDS) if path.startswith("/check") else self._timeout
        waited, lost = 0.0, 0
        while True:
            try:
                response = self._pool.request(method, self.base + path, body, headers=self._headers | headers, timeout=timeout)
                if response.status in (200, 304):
                    return response
                failure = error_of(response.status, response.data, response.headers)
            except urllib3.exceptions.HTTPError as cause:
                failure = Unavailable(0, "connection_lost", f"no answer from {self.base}: {cause}")
                lost += 1
                failure.retry_after = 2 ** (lost - 1) if repeatable and lost <= LOST_MAX else None
            wait = math.inf if failure.retry_after is None else failure.retry_after
            if waited + wait > self.max_wait:
                raise failure
            time.sleep(wait)
            waited += wait


def error_of(status: int, body: bytes, headers: Mapping[str, str]) -> HindsightError:
    """The error of an answer. What is not ours, such as a proxy's page, is quoted."""
    request_id = headers.get("X-Request-Id", "")
    try:
        said = json.loads(body)["error"]
        code, message, docs_url = said["code"], said["message"], said["docs_url"]
    except (ValueError, KeyError, TypeError):
        text = body.decode(errors="replace").strip()[:EXCERPT]
        code, message, docs_url = "not_hindsight", f"status {status}, and not an answer of the API: {text}", ""
    error = error_type(status, code)(status, code, message, docs_url, request_id)
    if status in (429, 503):
        after = headers.get("Retry-After", "")
        error.retry_after = max(1, int(after)) if after.isdecimal() else 1
        if error.retry_after > 60:
            span = datetime.timedelta(seconds=error.retry_after)
            error.args = (f"{error} (again in {error.retry_after} seconds: {span})",)
    return error


def data_of(body: bytes, headers: Mapping[str, str]) -> Any:
    try:
        return json.loads(body)["data"]
    except (ValueError, KeyError, TypeError):
        raise error_of(200, body, headers) from None


def query_of(given: Mapping[str, Any]) -> str:
    """Parameters as the API reads them: lists with commas, but names of columns, which may have commas, one by one."""
    pairs = []
    for name, value in given.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        texts = [str(_plain(each)).lower() if isinstance(each, bool) else str(_plain(each)) for each in values]
        if value is not None:
            each_apart = texts if name.endswith("leave_out") else [",".join(texts)]
            pairs += [(name.rstrip("_"), text) for text in each_apart]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def json_of(given: Mapping[str, Any]) -> bytes:
    body = {name: value for name, value in given.items() if name not in ("self", "wait", "fields") and value is not None}
    return json.dumps(body, default=_plain).encode()


def _plain(value: Any) -> Any:
    """Days of any library as text, and numbers of numpy as Python's."""
    if hasattr(value, "isoformat"):
        return value.isoformat()[:10]
    return value.item() if hasattr(value, "item") else value
