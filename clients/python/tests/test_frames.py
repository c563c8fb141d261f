"""Answers as DataFrames, and checks of what libraries have in memory."""

import io
import os
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest
from test_behaviours import hs, returns

from hindsight_backtests.files import file_bytes

READS = {
    "signals": {}, "history": {"coin": "btc", "columns": ["close", "rsi_14"]}, "buy_hold": {"coin": "xrp"}, "dca": {"coin": "btc"},
    "overfitting_index": {}, "dataset": {}, "strategies": {}, "usage": {}, "rating_worth": {},
}  # fmt: skip
RETURNS = pd.read_csv(io.BytesIO(returns(2022)), index_col="date", parse_dates=["date"])


@pytest.mark.parametrize("name", READS)
def test_every_read_is_a_frame_of_either_library(name):
    pandas, _ = hs()
    polars, _ = hs(frames="polars")
    ours, theirs = getattr(pandas.frame, name)(**READS[name]), getattr(polars.frame, name)(**READS[name])
    assert ours.shape == theirs.shape and list(ours.columns) == theirs.columns
    assert all(theirs[column].dtype == pl.Date for column in ours.select_dtypes("datetime"))
    dates = [column for column in ours if ours[column].astype(str).str.fullmatch(r"\d{4}-\d\d-\d\d").any()]
    assert dates == list(ours.select_dtypes("datetime").columns)


def test_a_job_is_a_frame_of_its_days_or_trades():
    client, _ = hs(key="paid")
    job = client.backtest(strategy="ma_cross", start_date="2021-01-01", wait=False)
    days = len(job.result()["equity_curve"])
    assert len(client.frame.get_backtest(job.id)) == days
    assert "entry_date" in client.frame.get_backtest(job.id, part="trades")


@pytest.mark.parametrize("name", ["check", "backtest", "table"])
def test_what_has_no_rows_is_no_frame(name):
    with pytest.raises(AttributeError, match=f"{name} has no rows"):
        getattr(hs()[0].frame, name)


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_a_table_is_read_from_its_link(frames):
    client, _ = hs(frames=frames)
    rows = {file["name"]: file["rows"] for file in client.snapshots()["files"]}
    prices = client.table("prices", frames=True)
    assert len(prices) == rows["prices.parquet"] and set(prices["coin"]) == {"btc", "eth", "xrp"}


@pytest.fixture(scope="module")
def grid():
    import vectorbt

    closes = {f"BTC-USD-{each}": (1 + RETURNS["returns"] / each).cumprod() for each in (1, 2, 3)}
    return vectorbt.Portfolio.from_holding(pd.DataFrame(closes), freq="1D")


def stats():
    from backtesting import Backtest, Strategy

    class Hold(Strategy):
        def init(self):
            pass

        def next(self):
            if not self.position:
                self.buy()

    close = 100 * (1 + RETURNS["returns"]).cumprod()
    return Backtest(pd.DataFrame({name: close for name in ("Open", "High", "Low", "Close")}), Hold, cash=10_000, finalize_trades=True).run()


@pytest.mark.parametrize("give", [lambda path: path.read_bytes(), lambda path: path, str, open, lambda path: open(path, "rb")])
def test_a_file_is_sent_as_it_is(give, tmp_path):
    path = tmp_path / "returns.csv"
    path.write_bytes(returns(2022))
    assert file_bytes(give(path)) == path.read_bytes()


OBJECTS = {
    "a Series": lambda: RETURNS["returns"],
    "a DataFrame": lambda: RETURNS,
    "a DataFrame of polars": lambda: pl.from_pandas(RETURNS.reset_index()),
    "the stats of backtesting.py": stats,
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_checks_what_is_in_memory(kind):
    report = hs()[0].check(OBJECTS[kind](), n_trials=20)
    assert report["verdict"]["value"] and report["input"]["bars"] in (399, 400)


def test_a_portfolio_of_vectorbt_is_checked_by_its_returns(grid):
    report = hs()[0].check(grid["BTC-USD-1"], n_trials=20)
    assert report["input"]["bars"] == 400


def test_polars_series_is_sent_as_a_column():
    assert file_bytes(pl.Series("returns", [0.5])) == b"returns\n0.5\n"


def test_a_grid_of_vectorbt_is_checked_as_its_variants(grid):
    assert hs()[0].check(grid)["input"]["variants"] == 3


def test_anything_else_is_refused_with_what_can_be_checked():
    with pytest.raises(TypeError, match="a int; give a path, an open file, .* backtesting.py"):
        file_bytes(7)


def test_import_takes_less_than_150_ms_and_no_pandas():
    code = "import time; began = time.process_time(); import hindsight_backtests, sys; print(time.process_time() - began); assert 'pandas' not in sys.modules"
    seconds = [float(subprocess.check_output([sys.executable, "-c", code], env=os.environ)) for _ in range(3)]
    assert min(seconds) < 0.15
