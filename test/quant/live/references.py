"""The vectors of the live test, by plain formulas and without the code that they test, in vectors.json.

    python3 test/quant/live/references.py > test/quant/live/vectors.json
"""

import json
import math
from statistics import NormalDist

NORMAL = NormalDist()
PPY = 365
LN20 = math.log(20)


def series(seed, n, mean, deviation):
    out, x = [], seed
    for _ in range(n):
        total = 0.0
        for _ in range(3):
            x = 16807 * x % 2147483647
            total += x / 2147483647
        out.append(mean + deviation * 2 * (total - 1.5))
    return out


def moments(r):
    m = sum(r) / len(r)
    return m, math.sqrt(sum((v - m) ** 2 for v in r) / (len(r) - 1))


def error_of_mean(y):
    """Bartlett, twice Andrews' bandwidth, with fixed-b mean and degrees of freedom."""
    n = len(y)
    rho = sum(a * b for a, b in zip(y[1:], y)) / sum(v * v for v in y[:-1])
    rho = max(-0.97, min(0.97, rho))
    alpha = 4 * rho**2 / ((1 - rho) ** 2 * (1 + rho) ** 2)
    s = min(2 * 1.1447 * (alpha * n) ** (1 / 3), n / 2 - 1)
    total, k = sum(v * v for v in y), 1
    while k < s + 1:
        total += 2 * (1 - k / (s + 1)) * sum(a * b for a, b in zip(y[k:], y))
        k += 1
    b = (s + 1) / n
    e = 1 - b + b * b / 3
    w = 2 * b / 3 - 7 * b**2 / 6 + 7 * b**3 / 15 + b**4 / 9
    return math.sqrt(max(0, total / n) / (e * n)), e * e / w


def normal_error(r):
    """Sharpe ratio, its largest error, and that with the estimated ones made larger for the normal distribution."""
    n = len(r)
    m, d = moments(r)
    x = m / d
    pop = math.sqrt(sum((v - m) ** 2 for v in r) / n)
    g3 = sum(((v - m) / pop) ** 3 for v in r) / n
    g4 = sum(((v - m) / pop) ** 4 for v in r) / n
    z = [(v - m) / d for v in r]
    psi = [v - x / 2 * (v * v - 1) for v in z]
    plain = [math.sqrt((1 - g3 * x + (g4 - 1) / 4 * x * x) / (n - 1)), 1 / math.sqrt(n - 1)]
    wide = [se * (1 + (1.645**2 + 1) / (4 * nu)) for se, nu in map(error_of_mean, (psi, z))]
    return x, max(plain + wide)


def log_cdf(x):
    if x > -30:
        return math.log(math.erfc(-x / math.sqrt(2)) / 2)
    series = 1 - 1 / x**2 + 3 / x**4 - 15 / x**6
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi)) + math.log(series)


def quantile_of_largest(p, n):
    return -NORMAL.inv_cdf(-math.expm1(math.log(p) / n))


def correlation(a, b):
    (ma, da), (mb, db) = moments(a), moments(b)
    return sum((x - ma) * (y - mb) for x, y in zip(a, b)) / (len(a) - 1) / da / db


def claim_of(columns, n):
    x, se0 = normal_error(columns[0])
    bars = len(columns[0])
    se = max(se0, math.sqrt((1 + 10 * x * x) / bars))
    c, low = (x - quantile_of_largest(p, n) * se for p in (0.5, 0.975))
    method = "only_one" if n == 1 else "best_of_any"
    if n == len(columns) and n > 1:
        others = [(moments(o), o) for o in columns[1:]]
        a = max(
            x - (x - m / d) / max(1e-6, 1 - correlation(columns[0], o)) for (m, d), o in others
        )

        def theta(p):
            lo, hi = x - 40 * se, x + 10 * se
            for _ in range(200):
                mid = (lo + hi) / 2
                share = log_cdf((mid - x) / se) - log_cdf((mid - a) / se)
                lo, hi = (mid, hi) if share < math.log(p) else (lo, mid)
            return (lo + hi) / 2

        if theta(0.025) > low:
            c, low, method = theta(0.5), theta(0.025), "beat_the_others"
    year = math.sqrt(PPY)
    error = (c - low) / NORMAL.inv_cdf(0.975) * year
    return method, [x * year, c * year, error, low * year], bars * se0 * se0


def log_contradiction(m, y, c, e, d):
    """The mean likelihood of drifts 0, -1 and -2 over that of drift C, given one normal mean."""
    variance = e * e + d / y
    rivals = [((m - c) ** 2 - (m - r) ** 2) / (2 * variance) for r in (0, -1, -2)]
    most = max(rivals)
    return most + math.log(sum(math.exp(v - most) for v in rivals) / 3)


def log_holds(m, v):
    g = 4 * v / (1 + 4 * v)
    return (
        math.log(2)
        - math.log(1 + 4 * v) / 2
        + g * m * m * v / 2
        + log_cdf(math.sqrt(g * v) * m)
    )


def looked(live, log_of, losing_min=0):
    """Today, highest, and the day on which 20 is reached, 0 for none."""
    today, highest, reached = None, None, 0
    for k in range(20, len(live) + 1):
        if sum(v < 0 for v in live[:k]) < losing_min:
            continue
        m, d = moments(live[:k])
        today = log_of(m / d * math.sqrt(PPY), k / PPY)
        highest = today if highest is None else max(highest, today)
        if reached == 0 and today >= LN20:
            reached = k
    return [today, highest, reached]


def decay(live, c, e, d):
    first = 0
    for k in range(20, len(live) + 1):
        _, deviation = moments(live[:k])
        total, most, since, running = 0.0, -math.inf, 0, 0.0
        for j in range(k, 0, -1):
            running += live[j - 1]
            n = k - j + 1
            m = running / n / deviation * math.sqrt(PPY)
            log = c * (c / 2 - m) / (e * e + d / (n / PPY))
            total += math.exp(min(690, log))
            if log >= most:
                most, since = log, j
        if first == 0 and total >= max(10 * PPY, 2 * k):
            first = k
    return [total, since, first]


A = series(1, 750, 0.003, 0.02)
P = [series(100 + j, 500, 0.0045 if j == 0 else 0, 0.02) for j in range(5)]
LIVE = {
    "L0": series(7, 420, -0.0025, 0.03),
    "L1": series(11, 600, 0.0022, 0.02),
    "L2": series(13, 300, 0.004, 0.02) + series(17, 300, -0.002, 0.02),
    "L3": series(19, 300, -0.004, 0.02),
    "L4": series(23, 94, 0.0012, 0.04),
}
CASES = [
    ("V1", "A", 1, "L0"),
    ("V2", "A", 20, "L0"),
    ("V3", "P", 5, "L1"),
    ("V4", "P", 5, "L2"),
    ("V5", "A", 100_000, "L1"),
    ("V7", "P", 20, "L3"),
    ("V8", "P", 5, "L4"),
]


def vector(name, columns, trials, live):
    method, claim, own = claim_of([A] if columns == "A" else P, trials)
    record = LIVE[live]
    sharpe, se = normal_error(record)
    d = max(own, len(record) * se * se)
    c, e = claim[1], claim[2]
    has = c > 0
    return {
        "name": name,
        "columns": columns,
        "trials": trials,
        "live": live,
        "method": method,
        "claim": claim,
        "sharpe": sharpe * math.sqrt(PPY),
        "dependence": d,
        "contradiction": looked(record, lambda m, y: log_contradiction(m, y, c, e, d))
        if has
        else [None, None, 0],
        "loses": looked(record, lambda m, y: log_holds(-m, y / d)),
        "holds": looked(record, lambda m, y: log_holds(m, y / d), 10),
        "decay": decay(record, c, e, d) if has else [None, 0, 0],
    }


print(json.dumps([vector(*case) for case in CASES], indent=2))
