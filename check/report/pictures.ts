import { dateOfDay } from "../../quant/calendar.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import type { JudgedSeries } from "../check-file.ts";
import type { CheckReport, PeersFigures } from "../../quant/check/report.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { expectedMaximum } from "../../quant/overfitting/deflated-sharpe.ts";
import { histogramChart, lineChart } from "./chart.ts";
import { figureOf, shown, tableOf } from "./markup.ts";

const POINTS_MAX = 400;

const dateAt = (instant: number) => dateOfDay(Math.floor(instant / DAY_SECONDS));

/** Growth of 1, and how far it was below its high. */
export function equityFigures({ instants, returns }: JudgedSeries): string {
  const growth = new Float64Array(returns.length);
  const drawdown = new Float64Array(returns.length);
  let [value, peak] = [1, 1];
  for (let row = 0; row < returns.length; row++) {
    value *= 1 + returns[row]!;
    peak = Math.max(peak, value);
    growth[row] = value;
    drawdown[row] = 100 * (value / peak - 1);
  }
  const step = Math.max(1, Math.floor(returns.length / POINTS_MAX));
  const rows = Array.from(growth.keys()).filter(
    (row) => row % step === 0 || row === growth.length - 1,
  );
  const ticks = [0.1, 0.5, 0.9].map((share) => {
    const row = Math.floor(share * (instants.length - 1));
    return [row, dateAt(instants[row]!)] as const;
  });
  const points = (column: Float64Array) => rows.map((row) => [row, column[row]!] as const);
  const logarithmic = growth.every((each) => each > 0);
  const yearly = rows.filter((_, place) => place % Math.ceil(rows.length / 24) === 0);
  const cells = yearly.map((row) => [
    dateAt(instants[row]!),
    shown(growth[row]!),
    shown(drawdown[row]!, " %"),
  ]);
  const table = tableOf(["date", "growth of 1", "below its high"], cells);
  return (
    figureOf({
      picture: lineChart({
        title: "Growth of 1",
        lines: [{ points: points(growth), style: "main" }],
        ticks,
        include: [1],
        logarithmic,
      }),
      caption: logarithmic ? "Growth of 1, on a logarithmic scale." : "Growth of 1.",
      table,
    }) +
    figureOf({
      picture: lineChart({
        title: "Drawdown in percent",
        lines: [{ points: points(drawdown), style: "loss", area: true }],
        ticks,
        include: [0],
      }),
      caption: "How far the account was below its high, in percent.",
      table,
    })
  );
}

/** Yearly Sharpe ratio that the best of N variants without an edge is expected to show. */
export function luckFigure(report: CheckReport, { returns, periodsPerYear }: JudgedSeries): string {
  const { standardErrorNull, sharpe } = inferSharpe(returns);
  const annual = Math.sqrt(periodsPerYear);
  const trials = report.trials.n;
  const end = Math.max(4, Math.ceil(Math.log10(trials)) + 1);
  const counts = Array.from({ length: 10 * end + 1 }, (_, step) => 10 ** (step / 10));
  const barAt = (count: number) => standardErrorNull * annual * expectedMaximum(count);
  const own = sharpe * annual;
  const powers = Array.from({ length: end + 1 }, (_, power) => power);
  return figureOf({
    picture: lineChart({
      title: "What luck reaches against the number of variants",
      lines: [
        {
          points: counts.map((count) => [Math.log10(count), barAt(count)] as const),
          style: "luck",
        },
        { points: [0, end].map((power) => [power, own] as const), style: "main" },
        {
          points: [0, Math.max(own, barAt(10 ** end))].map((y) => [Math.log10(trials), y] as const),
          style: "mark",
        },
      ],
      ticks: powers.map((power) => [power, `${10 ** power}`] as const).slice(0, -1),
      include: [0],
    }),
    caption:
      "Sharpe ratio that the best of so many variants without an edge is expected to show (curve), that of this one " +
      `(level line), and the ${trials} variants counted here (upright line).`,
    table: tableOf(
      ["variants", "expected best without an edge"],
      powers.map((power) => [`${10 ** power}`, shown(barAt(10 ** power))]),
    ),
  });
}

/** Logits of the picks' ranks, from CSCV. */
export function logitFigure({ cscv }: CheckReport): string {
  if (cscv === null) return "";
  const { edges, counts } = cscv.logits;
  const rows = counts.map((count, bin) => [
    `${shown(edges[bin]!)} to ${shown(edges[bin + 1]!)}`,
    `${count}`,
  ]);
  const { degradation } = cscv;
  return (
    figureOf({
      picture: histogramChart("Ranks of the picks in the other half", cscv.logits),
      caption:
        "The best variant of one half of the days, ranked in the other half: logit of its rank over all ways to halve " +
        "the days. Left of the middle it ranks below the median.",
      table: tableOf(["logit", "splits"], rows),
    }) +
    tableOf(
      ["in the other half", ""],
      [
        ["probability of backtest overfitting", shown(cscv.pbo)],
        ["probability of loss", shown(cscv.probability_of_loss)],
        ["slope of its Sharpe ratio on that of the first half", shown(degradation.slope)],
        [
          "intercept, R squared",
          `${shown(degradation.intercept)}, ${shown(degradation.r_squared)}`,
        ],
        ["better than all, first order", cscv.first_order_dominance ? "yes" : "no"],
        ["better than all, second order", cscv.second_order_dominance ? "yes" : "no"],
      ],
    )
  );
}

/** The backtest beside our own rules on the same coin and days. */
export function peersSection(peers: PeersFigures, sharpe: number | null): string {
  const { runs, rank, hold, luck_bar: bar } = peers.same_days;
  const bars = [
    [1, bar.n_1],
    [13, bar.n_13],
    [286, bar.n_286],
  ] as const;
  const line = (of: "median" | "p95") => bars.map(([, each], place) => [place, each[of]] as const);
  const own = [0, 2].map((place) => [place, sharpe ?? NaN] as const);
  const picture = lineChart({
    title: "Sharpe ratios that luck reaches on these days",
    lines: [
      { points: line("median"), style: "luck" },
      { points: line("p95"), style: "mark" },
      ...(sharpe === null ? [] : [{ points: own, style: "main" }]),
    ],
    ticks: [
      [0.1, "1 run"],
      [1, "best of 13"],
      [1.8, "best of 286"],
    ],
    include: [0],
  });
  const table = tableOf(
    ["best of", "median", "one market in twenty"],
    bars.map(([count, each]) => [`${count}`, shown(each.median), shown(each.p95)]),
  );
  const caption =
    `What our rules reach on ${peers.coin} when its days are shuffled: median and the highest of twenty markets, beside ` +
    "this backtest (level line).";
  const next = peers.afterwards;
  return (
    figureOf({ picture, caption, table }) +
    tableOf(
      [`${peers.coin}, same days`, ""],
      [
        ["rank among our runs", `${rank} of ${runs + 1}`],
        ["Sharpe ratio of holding the coin", shown(hold.sharpe)],
        [
          "return, deepest drawdown of holding it",
          `${shown(hold.return_pct, " %")}, ${shown(hold.max_drawdown_pct, " %")}`,
        ],
        [
          "Sharpe ratio that followed for runs like this one",
          next === null ? "–" : `${shown(next.median)} (${shown(next.low)} to ${shown(next.high)})`,
        ],
        [
          "of them below 0",
          next === null
            ? peers.afterwards_note
            : `${shown(100 * next.share_below_zero, " %")} of ${next.runs}`,
        ],
      ],
    ) +
    (next === null ? "" : `<p>${peers.afterwards_note}.</p>`)
  );
}
