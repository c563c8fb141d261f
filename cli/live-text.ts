import type { CheckLive } from "../api/check-live.ts";
import { digits, wrapped, textTable, type Row } from "./text-table.ts";

/** The report on live days for a terminal: the verdict in words, then the tables that it rests on. */
export function liveText(live: CheckLive): string[] {
  const { verdict } = live;
  return [
    ...wrapped(verdict.sentence),
    "",
    ...textTable(["live", ""], recordRows(live)),
    "",
    ...textTable(["evidence, 20 is reached", "today", "highest"], evidenceRows(live)),
    "",
    ...textTable(["how long", ""], longRows(live)),
    ...verdict.cautions.flatMap(({ message }) => ["", ...wrapped(`Note: ${message}.`)]),
  ];
}

function recordRows(live: CheckLive): Row[] {
  const { claim, overlap } = live;
  const { value, source } = claim.n_trials;
  const trials = source === "assumed" ? "not known (--n-trials NUMBER)" : `${value}, ${source}`;
  return [
    ["days", `${live.days}, ${live.first} to ${live.last}; ${live.active_days} active`],
    ["account", accountWords(live)],
    ...(live.gap_days > 0 ? [["days between the two", String(live.gap_days)] as const] : []),
    ["Sharpe live, a year", digits(live.sharpe)],
    ["claimed after luck", `${digits(claim.after_luck)} of ${digits(claim.sharpe)}`],
    ["its error", digits(claim.error)],
    ["trials", trials],
    ["swings, live to backtest", digits(live.volatility_ratio)],
    ...(overlap === null
      ? []
      : [["days of both", `${overlap.days}, correlation ${digits(overlap.correlation)}`] as const]),
  ];
}

function accountWords({ account: { return_pct: made, stop_return_pct: stop } }: CheckLive): string {
  const balance = (percent: number) => Math.round(10_000 + 100 * percent).toLocaleString("en-US");
  const line = stop === null ? "" : `; the stop line is at ${balance(stop)} today`;
  return `10,000 -> ${balance(made)}${line}`;
}

function evidenceRows({ stop, holds, decay }: CheckLive): Row[] {
  const row = (name: string, of: typeof holds): Row => {
    const reached = of.reached_on === null ? "" : `, reached on ${of.reached_on}`;
    return [name, digits(of.evidence), `${digits(of.evidence_highest)}${reached}`];
  };
  const { since, once_in_days: once } = decay;
  return [
    row("stop: contradicts the claim", stop.contradiction),
    row("stop: loses", stop.loses),
    row("holds", holds),
    ["decay, a stretch once in days", digits(once), since === null ? "" : `since ${since}`],
  ];
}

function longRows({ how_long: long }: CheckLive): Row[] {
  const { stop, holds_days: holds } = long;
  const share = (value: number) => `${Math.round(100 * value)} %`;
  const rows: Row[] =
    stop === null
      ? [["a stop", `none: ${long.stop_reason}`]]
      : [
          [
            "without an edge stopped in 1, 3 years",
            `${share(stop.none.share_1y)}, ${share(stop.none.share_3y)}`,
          ],
          ["half of those within", days(stop.none.median_days)],
        ];
  return [
    ...rows,
    ["an edge as claimed shows after", days(holds.claim)],
    ["a true Sharpe of 2 shows after", days(holds.two)],
  ];
}

const days = (value: number | null) => (value === null ? "never" : `${value} days`);
