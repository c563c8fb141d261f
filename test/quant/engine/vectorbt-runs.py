"""Records test/quant/engine/vectorbt-runs.json with vectorbt 1.2.0 and numpy: 200 runs of random rules, parameters,
windows and costs on seeded prices. vectorbt computes the averages, bands and ratios itself.

    python vectorbt-runs.py > vectorbt-runs.json
"""

import json

import numpy as np
import pandas as pd
import vectorbt as vbt

DAYS = 1200
np.random.seed(11)
steps = np.random.normal(0, 1, 2 * DAYS)
cents = lambda prices: np.floor(prices * 100 + 0.5) / 100
close = cents(100 * np.exp(np.cumsum(0.001 + 0.03 * steps[:DAYS])))
open_ = cents(np.concatenate([[100], close[:-1]]) * np.exp(0.005 * steps[DAYS:]))
days = pd.date_range("2020-01-01", periods=DAYS, tz="UTC")
close, open_ = pd.Series(close, days), pd.Series(open_, days)


def ma_cross(draw):
    fast = int(draw.integers(1, 199))
    slow = int(draw.integers(fast + 1, 200))
    one, other = (vbt.MA.run(close, window=days).ma for days in (fast, slow))
    return {"fast": fast, "slow": slow}, one > other, one < other


def bollinger_breakout(draw):
    period, multiplier = int(draw.integers(2, 200)), round(float(draw.uniform(0.2, 3)), 2)
    bands = vbt.BBANDS.run(close, window=period, alpha=multiplier)
    params = {"period": period, "multiplier": multiplier}
    return params, close > bands.upper, close < bands.middle


def time_series_momentum(draw):
    lookback = int(draw.integers(1, 199))
    before = close.shift(lookback)
    return {"lookback": lookback}, close > before, close < before


runs = []
draw = np.random.default_rng(46)
for run in range(200):
    rule = (ma_cross, bollinger_breakout, time_series_momentum)[run % 3]
    params, entries, exits = rule(draw)
    first = int(draw.integers(200, DAYS - 60))
    last = int(draw.integers(first + 30, DAYS))
    fee, slippage = (round(float(draw.uniform(0, 2)), 3) for _ in range(2))
    window = slice(first, last + 1)
    late = [(side.to_numpy()[window]) for side in (entries, exits)]
    late = [np.concatenate([[False], side[:-1]]) for side in late]
    portfolio = vbt.Portfolio.from_signals(
        close[window], late[0], late[1], price=open_[window], fees=fee / 100, slippage=slippage / 100,
        size=np.inf, init_cash=10000, freq="1D",
    )
    returns = portfolio.returns()
    number = lambda value: None if not np.isfinite(value) else float(value)
    runs.append({
        "template": rule.__name__, "params": params, "from": first, "to": last + 1, "feePct": fee, "slippagePct": slippage,
        "equity": float(portfolio.value().iloc[-1]), "trades": int(portfolio.trades.count()),
        "sharpe": number(returns.vbt.returns(freq="1D", year_freq="365D").sharpe_ratio()),
        "maxDrawdown": float(portfolio.max_drawdown()),
    })
print(json.dumps(runs))
