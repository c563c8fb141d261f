"""Reference numbers of other people's code for the check, in references.json.

    pip install arch==8.0.0 statsmodels==0.15.0 pyfixest==0.60.0 scipy numpy
    python test/quant/check/references.py > test/quant/check/references.json
"""

import json

import numpy as np
from arch.bootstrap import SPA, StepM, optimal_block_length
from pyfixest.estimation.post_estimation.multcomp import _get_rwolf_pval
from scipy import stats
from scipy.linalg import toeplitz
from statsmodels.stats.sandwich_covariance import S_hac_simple


def made_up(rows: int, columns: int, seed: int) -> np.ndarray:
    """The same numbers as made-up-panel.ts: exact whole numbers, then a moving average."""
    state, out = seed, np.zeros((rows, columns))
    for i in range(columns):
        before = 0.0
        for t in range(rows):
            total = 0.0
            for _ in range(3):
                state = (1103515245 * state + 12345) % 2**31
                total += state / 2**31 - 0.5
            before = 0.4 * before + total / 50
            out[t, i] = before + 0.0002 * (i - 5)
    return out


def influence(x: np.ndarray) -> np.ndarray:
    z = (x - x.mean()) / x.std(ddof=1)
    sharpe = x.mean() / x.std(ddof=1)
    return z - sharpe / 2 * (z**2 - 1)


def bartlett(x: np.ndarray, bandwidth: float) -> float:
    """As a quadratic form, since packages cut a broken bandwidth down to a whole number of lags."""
    weights = np.clip(1 - np.arange(len(x)) / (bandwidth + 1), 0, None)
    return float(x @ toeplitz(weights) @ x / len(x))


panel = made_up(600, 6, 7)
x = panel[:, 4]
spa = SPA(np.zeros(600), -panel, block_size=8, reps=20_000, studentize=True, seed=1)
spa.compute()
step = StepM(np.zeros(600), -panel, size=0.2, block_size=8, reps=20_000, studentize=True, seed=1)
step.compute()
psi = influence(x)
# Sizes, since pyfixest's test is two-sided; the observed ones lie in the upper tail of the redrawn ones.
redrawn = abs(made_up(99, 8, 11))
observed = np.sort(redrawn, axis=0)[-1 - 3 * np.arange(8) % 11, np.arange(8)]
print(
    json.dumps(
        {
            "mean": x.mean(),
            "std": x.std(ddof=1),
            "skew": stats.skew(x),
            "kurtosis": stats.kurtosis(x, fisher=False),
            "block_lengths": optimal_block_length(panel)["stationary"].tolist(),
            "spa_variances": spa._loss_diff_var.tolist(),
            "white_p_value": float(spa.pvalues["upper"]),
            "hansen_p_value": float(spa.pvalues["consistent"]),
            "romano_wolf": {
                "observed": observed.tolist(),
                "p_values": _get_rwolf_pval(observed, redrawn).tolist(),
            },
            "superior_at_20_pct": [int(i) for i in step.superior_models],
            "bartlett_5": float(S_hac_simple(psi, nlags=5).item() / 600),
            "bartlett_5_5": bartlett(psi, 5.5),
        },
        indent=2,
    )
)
