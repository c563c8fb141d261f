"""What `mypy --strict` must accept, with the types of answers."""

from hindsight_backtests import Hindsight, MoreNeeded


def program(hs: Hindsight) -> float | None:
    size: int = hs.snapshots()["files"][0]["bytes"]
    link: str = hs.table("prices", hours=1)
    days: list[str] = hs.history("btc", ["close"])["dates"]
    try:
        verdict: str = hs.check("returns.csv", n_trials=200)["verdict"]["value"]
    except MoreNeeded as more:
        verdict = more.questions[0]
    job = hs.get_backtest(7)
    if job["status"] == "done":
        return job["result"]["sharpe"]
    print(size, link, days, verdict, hs.study(strategy="ma_cross", start_date="2024-01-01", parameters={"fast": [5, 10]}, wait=False).result())
    hs.backtest(strategy="ma_corss", start_date="2024-01-01")  # type: ignore[call-overload]
    hs.dca()  # type: ignore[call-arg]
    return hs.backtest(strategy="ma_cross", start_date="2024-01-01")["sharpe"]
