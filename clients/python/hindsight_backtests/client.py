"""One method for each operation of the API, with its parameters as the document has them."""

# `locals()` is what a method was called with; its values have no type of their own.
# mypy: no-warn-return-any

from __future__ import annotations

import copy
import datetime
import io
import os
import re
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import urllib3

from .built import DATES
from .errors import JobFailed
from .files import file_bytes
from .http import Connection, data_of, json_of, query_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import document as types

Day = str | datetime.date
Names = str | Sequence[str] | None
Result = TypeVar("Result")
JOB_SECONDS = 3600
INNER_DATES = tuple(f"_{name}" for name in DATES)


class Hindsight:
    """The API for one key. `key` and `base` are those of HINDSIGHT_KEY and HINDSIGHT_URL if they are left out."""

    def __init__(self, key: str | None = None, base: str | None = None, timeout: float = 30, max_wait: float = 60, *,
                 cache: bool = True, frames: Literal["pandas", "polars"] = "pandas") -> None:  # fmt: skip
        key, base = key or os.environ.get("HINDSIGHT_KEY"), base or os.environ.get("HINDSIGHT_URL")
        if not key:
            raise ValueError("there is no key: give key=, or set HINDSIGHT_KEY")
        if not re.fullmatch("https?://.+/v1/*", base or ""):
            raise ValueError(f"base is {base!r}: give base= or HINDSIGHT_URL, such as https://example.com/v1")
        self._connection = Connection(str(base).rstrip("/"), key, timeout, max_wait, cache)
        self._frames, self._is_frame = frames, False

    @property
    def frame(self) -> Frames:
        """The same methods, for answers that have rows, with a DataFrame as their answer."""
        return Frames(self)

    def signals(self, coin: str | None = None, date: Day | None = None, fields: Names = None) -> types.SignalsData:
        return self._get("/signals", locals())

    def rating_worth(self, fields: Names = None) -> types.RatingWorthData:
        return self._get("/rating-worth", locals())

    def history(self, coin: str | Sequence[str], columns: str | Sequence[str], from_: Day | None = None,
                to: Day | None = None, step: str = "day", fields: Names = None) -> types.HistoryData:  # fmt: skip
        return self._get("/history", locals())

    def buy_hold(self, coin: str, start_date: Day | None = None, end_date: Day | None = None,
                 fields: Names = None) -> types.BuyHoldData:  # fmt: skip
        return self._get("/buy-hold", locals())

    def dca(self, coin: str, amount: float = 100, frequency: str = "weekly", start_date: Day | None = None,
            end_date: Day | None = None, fee_pct: float | None = None, fields: Names = None) -> types.DcaData:  # fmt: skip
        return self._get("/dca", locals())

    def check(self, backtest: Any, n_trials: int | None = None, *, live: Any = None, starts: int | None = None,
              coin: str | Sequence[str] | None = None, selected: str | None = None, periods_per_year: float | None = None,
              timezone: str | None = None, format: str | None = None, starting_capital: float | None = None,
              column: str | None = None, leave_out: Names = None, benchmark: str | None = None, flows: str | None = None,
              dates: str | None = None, unit: str | None = None, all_in: bool | None = None,
              risk_free: float | None = None, fills: str | None = None, live_selected: str | None = None,
              live_since: Day | None = None, live_timezone: str | None = None, live_format: str | None = None,
              live_starting_capital: float | None = None, live_column: str | None = None, live_leave_out: Names = None,
              live_benchmark: str | None = None, live_flows: str | None = None, live_dates: str | None = None,
              live_unit: str | None = None, live_all_in: bool | None = None,
              fields: Names = None) -> types.PostCheckData:  # fmt: skip
        """How much of a backtest may be luck: of a file, or of what a library has in memory."""
        query = {name: value for name, value in locals().items() if name not in ("self", "backtest", "live")}
        body, kind = file_bytes(backtest), "application/octet-stream"
        if live is not None:
            parts = {"backtest": ("backtest", body), "live": ("live", file_bytes(live))}
            body, kind = urllib3.encode_multipart_formdata(parts)
        return self._post("/check" + query_of(query), body, {"Content-Type": kind})

    def overfitting(self, sharpe: float, length_days: float, n_trials: int, timeframe: str = "1d", skew: float = 0,
                    kurtosis: float = 3, trials_sharpe_std: float | None = None,
                    fields: Names = None) -> types.PostOverfittingData:  # fmt: skip
        return self._post("/overfitting" + query_of({"fields": fields}), json_of(locals()))

    def base_rates(self, sharpe: float, length_days: float, coin: str | None = None,
                   fields: Names = None) -> types.BaseRatesData:  # fmt: skip
        return self._get("/base-rates", locals())

    def overfitting_index(self, fields: Names = None) -> types.OverfittingIndexData:
        return self._get("/overfitting-index", locals())

    def dataset(self, template: str | None = None, coin: str | None = None, fields: Names = None) -> types.DatasetData:
        return self._get("/dataset", locals())

    def strategies(self, fields: Names = None) -> types.StrategiesData:
        return self._get("/strategies", locals())

    @overload
    def backtest(self, *, wait: Literal[True] = True, **body: Unpack[types.PostBacktestBody]) -> types.BacktestResult: ...
    @overload
    def backtest(self, *, wait: Literal[False], **body: Unpack[types.PostBacktestBody]) -> Job[types.BacktestResult]: ...
    def backtest(self, *, strategy: str, start_date: Day, coin: str = "btc", starting_cash: float = 10000,
                 variant: int | None = None, parameters: Any = None, end_date: Day | None = None,
                 fee_pct: float | None = None, slippage_pct: float | None = None, n_trials: int | None = None,
                 wait: bool = True) -> Any:  # fmt: skip
        """A run of a template: its result, or with `wait=False` the job."""
        return self._job("/backtests", locals())

    def get_backtest(self, id: int, part: str = "equity", fields: Names = None) -> types.BacktestData:
        return self._get(f"/backtests/{id}", locals())

    @overload
    def study(self, *, wait: Literal[True] = True, **body: Unpack[types.PostStudyBody]) -> types.StudyResult: ...
    @overload
    def study(self, *, wait: Literal[False], **body: Unpack[types.PostStudyBody]) -> Job[types.StudyResult]: ...
    def study(self, *, strategy: str, parameters: Any, start_date: Day, coin: str = "btc", folds: Any = None,
              end_date: Day | None = None, fee_pct: float | None = None, slippage_pct: float | None = None,
              n_trials: int | None = None, wait: bool = True) -> Any:  # fmt: skip
        """Runs of all sets of lists of parameters: their result, or with `wait=False` the job."""
        return self._job("/studies", locals())

    def get_study(self, id: int, part: str = "runs", fields: Names = None) -> types.StudyData:
        return self._get(f"/studies/{id}", locals())

    def usage(self, fields: Names = None) -> types.UsageData:
        return self._get("/usage", locals())

    def snapshots(self, snapshot: str | None = None, hours: int = 24, fields: Names = None) -> types.SnapshotsData:
        return self._get("/snapshots", locals())

    @overload
    def table(self, name: str, *, hours: int = 24, frames: Literal[False] = False) -> str: ...
    @overload
    def table(self, name: str, *, hours: int = 24, frames: Literal[True]) -> Any: ...
    def table(self, name: str, *, hours: int = 24, frames: bool = False) -> Any:
        """A link to a table of the current snapshot, for any reader of Parquet; with `frames=True` its DataFrame."""
        files = self.snapshots(hours=hours)["files"]
        links = {file["name"][:-8]: file["url"] for file in files if file["name"].endswith(".parquet")}
        if name not in links:
            raise ValueError(f"there is no table {name!r}; there are: {', '.join(links)}")
        return self._library().read_parquet(links[name]) if frames else links[name]

    def _get(self, path: str, given: dict[str, Any]) -> Any:
        query = {name: value for name, value in given.items() if name not in ("self", "id")}
        if not self._is_frame:
            return data_of(*self._connection.get(path + query_of(query), "application/json"))
        body, _ = self._connection.get(path + query_of(query), "text/csv")
        header = body.partition(b"\r\n")[0].decode().split(",")
        dates = [name for name in header if name in DATES or name.endswith(INNER_DATES)]
        if self._frames == "polars":
            return self._library().read_csv(io.BytesIO(body), schema_overrides={name: self._library().Date for name in dates},
                                            infer_schema_length=None)  # fmt: skip
        return self._library().read_csv(io.BytesIO(body), parse_dates=dates)

    def _library(self) -> Any:
        return __import__(self._frames)

    def _post(self, path: str, body: bytes, headers: dict[str, str] = {}) -> Any:
        response = self._connection.send("POST", path, {"Content-Type": "application/json"} | headers, body)
        return data_of(response.data, response.headers)

    def _job(self, path: str, given: dict[str, Any]) -> Any:
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        job: Job[Any] = Job(self._connection, f"{path}/{self._post(path, json_of(given), headers)['job_id']}")
        return job.result() if given["wait"] else job


class Frames:
    """The reads of a client as DataFrames. The API writes the rows, as CSV."""

    def __init__(self, client: Hindsight) -> None:
        self._client = copy.copy(client)
        self._client._is_frame = True

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in ("check", "overfitting", "backtest", "study", "table", "frame") or name.startswith("_"):
            raise AttributeError(f"{name} has no rows")
        return getattr(self._client, name)


class Job(Generic[Result]):
    """A backtest or study that was accepted: it will end, whatever happens here."""

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection, self.path, self.id = connection, path, int(path.rpartition("/")[2])

    def result(self, max_seconds: float = JOB_SECONDS) -> Result:
        """Waits for the result, asking as often as the server suggests."""
        until = time.monotonic() + max_seconds
        while True:
            body, headers = self._connection.get(self.path, "application/json")
            job = data_of(body, headers)
            if job["status"] == "done":
                return job["result"]
            if job["status"] == "error":
                raise JobFailed(200, job["error"]["code"], job["error"]["message"])
            wait = int(headers.get("Retry-After", 1))
            if time.monotonic() + wait > until:
                raise TimeoutError(f"{self.path} is {job['status']} after {max_seconds} s: ask again with result()")
            time.sleep(wait)
