import { timesInHundred } from "../../quant/check/verdict-sentence.ts";
import type { ComponentChildren, VNode } from "preact";
import type { StudyResult } from "../../api/study.ts";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { heatMap } from "../charts/heat-map.tsx";
import { linesChart } from "../charts/lines-chart.tsx";
import { chance, decimal, share, signedDecimal, signedPercent, templateWords } from "../format.ts";
import { Table, Tiles } from "../table.tsx";
import { factTable } from "./fact-table.tsx";
import { syntheticNotice, verdictWords } from "./verdict.tsx";

export interface StudyProps {
  readonly result: StudyResult;
  readonly isSynthetic: boolean;
  /** Of the heading: 2 where the page has a heading of its own. */
  readonly level?: 1 | 2;
  readonly children?: ComponentChildren;
}

/** What a reader may have seen without trying it here. */
const TRIES_SHOWN =
  "as far as is known here; the 286 settings that pages of this site show of a coin count, too, if you looked";

/** How many sets the table shows. CSV and JSON have all of them. */
const ROWS_MAX = 100;

/** A study: the verdict first, then the best set among its neighbours, and what choosing led to. */
export function studyView({ result, isSynthetic, level = 1, children }: StudyProps): VNode {
  const Heading = `h${level}` as const;
  const { check, best, n_trials: trials } = result;
  const p = check?.verdict.p_value ?? null;
  return (
    <article class="report" aria-labelledby="study-title">
      {level === 1 && syntheticNotice(isSynthetic)}
      <Heading id="study-title" class="report-title" tabIndex={-1}>
        {`${templateWords(result.strategy)} on ${result.coin.toUpperCase()}: ${decimal(result.sets, 0)} ${result.sets === 1 ? "setting" : "settings"}`}
      </Heading>
      {check === null ? (
        <>
          <p class="verdict">{result.check_reason}</p>
          <p class="judged">{leadOf(result)}</p>
        </>
      ) : (
        verdictWords(check, 2, leadOf(result))
      )}
      {children}
      <Tiles
        figures={[
          ["Sharpe ratio of the best, a year", decimal(best?.run.sharpe, 2)],
          ["Sharpe ratio of holding", decimal(result.buy_hold.sharpe, 2)],
          ["luck alone does this well", p === null ? decimal(p, 0) : timesInHundred(p)],
          ["tried in all", decimal(trials.value, 0), TRIES_SHOWN],
          [
            "settings with a better Sharpe ratio than holding",
            share((result.beat_hold_sharpe_pct ?? 0) / 100),
            `that returned more: ${share((result.beat_hold_return_pct ?? 0) / 100)}`,
          ],
        ]}
      />
      {figureOf(surfaceDrawing(result, isSynthetic))}
      {neighbours(best)}
      {walkForward(result, isSynthetic)}
      <details>
        <summary>All figures</summary>
        {factTable("Figures of the study", factsOf(result))}
      </details>
      <h3>What this can’t tell</h3>
      <ul>
        <li>Tries elsewhere, of other coins and of other rules: they count as much as these.</li>
        <li>Dates and costs that were chosen because they look good.</li>
        <li>Whether the coin is on the board only because it survived.</li>
      </ul>
      <details>
        <summary>{`Every setting${result.sets > ROWS_MAX ? `: the first ${ROWS_MAX} of ${result.sets} by Sharpe ratio` : ""}`}</summary>
        {runsTable(result)}
      </details>
    </article>
  );
}

function leadOf(result: StudyResult): string {
  const { best, sets, illegal_sets: illegal, n_trials: trials } = result;
  const judged =
    best === null
      ? "No setting moved"
      : `Judged: ${best.label}${sets === 1 ? "" : `, the best of ${decimal(sets, 0)} settings`}`;
  const before = trials.value > sets ? ` and ${decimal(trials.value - sets, 0)} tried before` : "";
  const left = illegal > 0 ? `; ${decimal(illegal, 0)} were left out, as they are not legal` : "";
  const costs = `${decimal(result.fee_pct, 2)} % fee and ${decimal(result.slippage_pct, 2)} % slippage a trade`;
  return `${judged}${before}${left} · ${result.start_date} to ${result.end_date} · ${costs}. Tries elsewhere are not seen.`;
}

const figureOf = (drawing: Drawing | null) => drawing && <Figure drawing={drawing} />;

/** A map of the sets, where one or two parameters vary. */
export function surfaceDrawing(
  { axes, runs, best, buy_hold: hold }: StudyResult,
  isSynthetic: boolean,
): Drawing | null {
  const varied = axes.filter(({ values }) => values.length > 1);
  const [first, second] = varied;
  if (first === undefined || varied.length > 2 || best === null) return null;
  const base = hold.sharpe ?? 0;
  const cells = runs.map(({ params, sharpe }) => ({
    row: second === undefined ? "Sharpe ratio" : `${second.name} ${params[second.name]}`,
    column: `${first.name} ${params[first.name]}`,
    value: sharpe === null ? null : sharpe - base,
    words: `${varied.map(({ name }) => `${name} ${params[name]}`).join(", ")}|Sharpe ratio ${decimal(sharpe, 2)}`,
  }));
  const strongest = Math.max(0.1, ...cells.map(({ value }) => Math.abs(value ?? 0)));
  const around =
    best.neighbours_sharpe === null
      ? "no two neighbours to compare it with"
      : `its neighbours ${decimal(best.neighbours_sharpe, 1)}`;
  return heatMap(cells, {
    title: `The best of ${decimal(runs.length, 0)} settings made ${decimal(best.run.sharpe, 1)}, ${around}`,
    subtitle: `Sharpe ratio a year of every setting; teal where it is above that of holding, ${decimal(hold.sharpe, 1)}, amber where it is below`,
    isSynthetic,
    strongest,
  });
}

function neighbours(best: StudyResult["best"]): VNode | null {
  if (best === null || best.flatness === null) return null;
  const { median, low, high, draws, values } = best.flatness_shuffled;
  const { flatness } = best;
  const passed = values.filter((value) => value < flatness).length;
  const kind = passed === draws ? "A spike" : 2 * passed >= draws ? "A peak" : "A hill";
  const heading = `${kind}: lonelier than on ${passed} of ${draws} shuffles of the days`;
  return (
    <section>
      <h3>{heading}</h3>
      <p>
        {`The Sharpe ratio of ${best.label} lies ${signedDecimal(best.flatness, 2)} from the median of its ${best.neighbours} neighbours. On shuffled days, where there is nothing to find, the best one lies ${decimal(median, 2)} above its neighbours (${decimal(low, 2)} to ${decimal(high, 2)} in ${draws} shuffles) and has a Sharpe ratio of ${decimal(best.sharpe_shuffled.median, 2)}, at most ${decimal(best.sharpe_shuffled.high, 2)}.`}
      </p>
    </section>
  );
}

function walkForward({ walk_forward: walk }: StudyResult, isSynthetic: boolean): VNode | null {
  if (walk === null) return null;
  const { tests, kept_shuffled: luck, lead_after: lead, lead_after_shuffled: shuffled } = walk;
  const passed = shuffled.values.filter((value) => value < (lead ?? NaN)).length;
  const keptWords =
    walk.kept_pct === null
      ? "There was no lead to keep."
      : `Before each test the Sharpe ratio of the chosen setting was ${decimal(walk.lead_before, 2)} above the mean of all settings, in the test ${signedDecimal(walk.lead_after, 2)}: it kept ${decimal(walk.kept_pct, 0)} % of its lead. On shuffled days that share ran from ${decimal(100 * (luck.low ?? NaN), 0)} to ${decimal(100 * (luck.high ?? NaN), 0)} %.`;
  const interval =
    walk.lead_low === null
      ? "With fewer than eight tests no interval is given."
      : `The lead afterwards is between ${signedDecimal(walk.lead_low, 2)} and ${signedDecimal(walk.lead_high, 2)} at 95 %.`;
  const table = (
    <Table
      label="Tests of the walk forward"
      columns={[
        { name: "from", isText: true, cell: ({ from }) => from },
        { name: "to", isText: true, cell: ({ to }) => to },
        { name: "chosen", isText: true, cell: ({ chosen }) => chosen ?? "cash" },
        { name: "Sharpe before", cell: (test) => decimal(test.train_sharpe, 2) },
        { name: "Sharpe after", cell: (test) => decimal(test.test_sharpe, 2) },
        { name: "made", cell: (test) => signedPercent(test.test_return_pct) },
      ]}
      rows={tests}
    />
  );
  return (
    <section>
      <h3>
        {`Choosing on the past: its lead afterwards was above that on ${passed} of ${shuffled.draws} shuffles of the days`}
      </h3>
      <p>{`${keptWords} ${interval} The choice changed ${walk.changes === 1 ? "once" : `${walk.changes} times`} in ${tests.length === 1 ? "1 test" : `${tests.length} tests`}${walk.cash_tests > 0 ? `, and was cash in ${walk.cash_tests}` : ""}.`}</p>
      <Figure drawing={walkDrawing(walk, isSynthetic)} table={table} />
    </section>
  );
}

/** What following the choice from test to test became. */
export function walkDrawing(
  { curve: steps, tests }: NonNullable<StudyResult["walk_forward"]>,
  isSynthetic: boolean,
): Drawing {
  const curve = (of: "chosen" | "hold" | "default" | "mean") =>
    steps.map((step) => 1000 * (step[of] ?? 0));
  return linesChart(
    [
      { name: "holding", values: curve("hold"), tone: "context" },
      { name: "all settings", values: curve("mean"), tone: "luck" },
      { name: "default", values: curve("default"), tone: "skill" },
      { name: "the chosen", values: curve("chosen"), tone: "accent" },
    ],
    {
      title: `What 1,000 became, choosing anew ${tests.length === 1 ? "once" : `${tests.length} times`}`,
      subtitle:
        "Each test trades the setting that was best before it; after costs, changes of setting are free",
      description: `Choosing ended at ${decimal(curve("chosen").at(-1), 0)}, holding at ${decimal(curve("hold").at(-1), 0)}.`,
      isSynthetic,
      dates: steps.map(({ date }) => date),
      text: (value) => decimal(value, 0),
      isLog: true,
      rule: 1000,
    },
  );
}

function factsOf({ check, n_trials: trials, ...result }: StudyResult) {
  const rates = check?.verdict.error_rates;
  return [
    ["Family p against cash", chance(check?.family?.p_cash)],
    [`Family p against holding ${result.coin.toUpperCase()}`, chance(check?.family?.p_coin)],
    ["Settings that survive at 5 %", decimal(check?.family?.survivor_count, 0)],
    ["Probability of overfitting (PBO)", share(check?.cscv?.pbo)],
    ["Distinct settings that move", decimal(trials.measured, 0)],
    ["Known to have been tried here", decimal(trials.known_here, 0)],
    ["Declared", trials.declared === null ? "–" : decimal(trials.declared, 0)],
    ["The verdict calls luck skill, at worst on the shapes tried", share(rates?.false_skill, 1)],
  ] as const;
}

function runsTable({ runs, axes }: StudyResult): VNode {
  const rows = runs.toSorted((a, b) => (b.sharpe ?? -Infinity) - (a.sharpe ?? -Infinity));
  type Row = StudyResult["runs"][number];
  return (
    <Table
      label="Every setting"
      columns={[
        ...axes.map(({ name }) => ({ name, cell: ({ params }: Row) => String(params[name]) })),
        { name: "Sharpe", cell: (run: Row) => decimal(run.sharpe, 2) },
        { name: "made", cell: (run: Row) => signedPercent(run.return_pct) },
        { name: "worst fall", cell: (run: Row) => signedPercent(run.max_drawdown_pct) },
        { name: "trades", cell: (run: Row) => decimal(run.trades, 0) },
        { name: "in the market", cell: (run: Row) => share((run.exposure_pct ?? 0) / 100) },
      ]}
      rows={rows.slice(0, ROWS_MAX)}
    />
  );
}
