import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import type { CheckErrorRates } from "../../api/check-verdict.ts";
import { luckOf } from "../charts/luck-chart.tsx";
import { count, decimal, share, signedPercent } from "../format.ts";
import { triesTold } from "./luck-figure.tsx";

type Behind = readonly [value: string, name: string, words: string];

/**
 * At most five figures that the verdict rests on, each in a sentence. `error` is the spread of the yearly Sharpe ratio
 * without an edge, undefined where there is no series.
 */
export function reportTiles(report: CheckReport, error: number | undefined): VNode {
  return (
    <section aria-label="The figures behind it">
      <h2>The figures behind it</h2>
      <dl class="behind">
        {figuresOf(report, error)
          .slice(0, 5)
          .map(([value, name, words]) => (
            <div key={name}>
              <dt>
                <b>{name}</b> {words}
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** How often the verdict that was given is wrong: each has an error of its own. */
function wrongOf(value: CheckReport["verdict"]["value"], rates: CheckErrorRates): Behind {
  if (value === "luck")
    return [
      share(rates.false_luck_1),
      "Wrong this often",
      "of strategies with a true Sharpe ratio of 1: as many are called this, too.",
    ];
  if (value === "inconclusive")
    return [
      share(rates.power_1),
      "Found this often",
      "a true Sharpe ratio of 1, in records of this size: too close to call isn't evidence against it.",
    ];
  return [
    share(rates.false_skill),
    "Wrong at most this often",
    "where there is no edge, on every kind of record that we know to be hard.",
  ];
}

function figuresOf(report: CheckReport, error: number | undefined): Behind[] {
  const { series, trials, cscv, verdict, input, peers } = report;
  const { break_even_trials: most, error_rates: rates } = verdict;
  const figures: Behind[] = [];
  if (series === null) {
    figures.push([
      decimal(trials.n, 0),
      "Tries in the file",
      "give this number with the curve that you chose.",
    ]);
  } else if (error !== undefined) {
    const { count: tries, isSupposed } = triesTold(report);
    const bar = luckOf(tries, error).expected;
    const words =
      tries === 1
        ? "(Sharpe ratio, a year), against about 0 of a single try without skill."
        : `(Sharpe ratio, a year), against ${decimal(bar, 2)} that the best of ${decimal(tries, 0)} tries without skill shows${isSupposed ? ", if you tried as many" : ""}.`;
    figures.push([decimal(series.sharpe, 2), "Return for its risk", words]);
  }
  if (most !== null && most > 0) {
    const declared =
      input.n_trials.source === "declared" ? ` You gave ${decimal(trials.n, 0)}.` : "";
    figures.push([
      count(most),
      "Tries at most",
      `with which it still passes; count those you threw away, too.${declared}`,
    ]);
  }
  if (cscv !== null)
    figures.push([
      share(cscv.pbo),
      "The choice fails this often",
      "when the days are split in half in every way: the winner of one half ends in the lower half of the other. Half is a coin flip.",
    ]);
  if (peers?.afterwards)
    figures.push([
      share(peers.afterwards.share_below_zero),
      "Lost money afterwards",
      `of ${decimal(peers.afterwards.runs, 0)} backtests of ours that looked this good.`,
    ]);
  if (rates !== null && verdict.withheld_reason === null)
    figures.push(wrongOf(verdict.value, rates));
  if (series !== null)
    figures.push([
      signedPercent(series.max_drawdown_pct, 0),
      "Worst fall",
      "from a high of the account.",
    ]);
  return figures;
}
