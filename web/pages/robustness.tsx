import type { RobustnessCheck } from "../../api/dataset-robustness.ts";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { plain } from "../claim.ts";
import { chance, decimal, rangeText, share, signedDecimal } from "../format.ts";
import type { PageSource } from "../layout.tsx";
import { Table } from "../table.tsx";
import { luckOf } from "./finding.tsx";

type Checks = Readonly<Record<string, RobustnessCheck>> | null;

/** Picks nothing: every setting is the default. */
const NO_CHOICE = "pick_default";

/** Ways of asking that choose, and that days were shuffled for. */
const hasNull = ([name, check]: readonly [string, RobustnessCheck]) =>
  name !== NO_CHOICE && luckOf(check) !== null;

/** The lead while choosing and afterwards, by every check, with where shuffled days put it. */
export function robustnessChart(checks: Checks): ChartParts | null {
  if (checks === null) return null;
  const named = Object.entries(checks);
  const asked = named.filter(hasNull);
  const beyond = asked.filter(([, check]) => isBeyondLuck(check)).length;
  const rows = named.map(([name, check]) => ({
    name: checkWords(name),
    before: check.premium_in_sample,
    after: check.premium_out_of_sample,
    range: bandOf(check),
    isGood: hasNull([name, check]) ? isBeyondLuck(check) : undefined,
  }));
  const drawing = rowChart(rows, {
    title: plain(
      `In ${beyond} of the ${asked.length} ways that choose, the lead afterwards was beyond luck; luck puts about ${decimal(asked.length * LEVEL, 0)} there`,
    ),
    subtitle:
      "Lead of the pick over the mean of its settings, in annual Sharpe; bar: where 9 of 10 shuffles of the days put it; teal beyond 95 % of both kinds of shuffle, grey where nothing is chosen or no days were shuffled",
    before: "while choosing",
    after: "afterwards",
    rangeName: "shuffled",
    digits: 3,
  });
  return { drawing, table: checksTable(named) };
}

const LEVEL = 0.05;

/** Where both kinds of shuffle put the lead. */
function bandOf({ permuted_blocks_5: short, permuted_blocks_60: long }: RobustnessCheck) {
  const ends = [short.low, long.low, short.high, long.high].map((end) => end ?? NaN);
  if (ends.some(Number.isNaN)) return undefined;
  return [Math.min(...ends), Math.max(...ends)] as const;
}

/** A band of the dataset's own lead, as words. */
export function leadBand(checks: Checks): string | undefined {
  const band = checks?.["split_70"] && bandOf(checks["split_70"]);
  return band && `with shuffled days: ${rangeText(band, (value) => signedDecimal(value, 3))}`;
}

/** The main question asked in other ways: other splits, years, costs, coins. `make run` publishes a demo without it. */
export function robustnessSection(checks: Checks, about: PageSource): VNode | null {
  const label = "The same question asked in other ways";
  if (checks === null) {
    if (!about.isSynthetic) return null;
    return (
      <section aria-label={label}>
        <p class="notice" role="note">
          A demo market: a run on real prices also asks the same question in other ways, with other
          splits, years, costs and coins.
        </p>
      </section>
    );
  }
  return (
    <section aria-label={label} class="two">
      <div>
        <h2>The same question, asked in other ways</h2>
        <p>
          Other places to split the days, single years, double costs, other ways to pick, without
          each family of rules, other coins. “Planted” rows test the test: each setting got a
          lasting skill at random, with a spread of 0.05 or 0.10, and that has to show.
        </p>
        <p>
          A lead is beyond luck where at most one in 20 shuffles of the days gives as much, in
          blocks of up to 5 days and of up to 60. The intervals of the table come from drawing coins
          with replacement; they share one market, so these are rather too narrow.
        </p>
      </div>
      {figureAt("/dataset/robustness", robustnessChart(checks), about)}
    </section>
  );
}

function checksTable(checks: readonly (readonly [string, RobustnessCheck])[]): VNode {
  return (
    <Table
      label="Robustness checks"
      columns={[
        { name: "check", isText: true, cell: ([name]) => checkWords(name) },
        { name: "lead while choosing", cell: ([, of]) => signedDecimal(of.premium_in_sample, 3) },
        { name: "afterwards", cell: ([, of]) => signedDecimal(of.premium_out_of_sample, 3) },
        { name: "95 % from", cell: ([, of]) => signedDecimal(of.low, 3) },
        { name: "to", cell: ([, of]) => signedDecimal(of.high, 3) },
        { name: "p, days shuffled", cell: ([, of]) => chance(luckOf(of)) },
        { name: "kept", cell: ([, of]) => share(of.share_kept) },
        { name: "picks", cell: ([, of]) => decimal(of.picks, 0) },
      ]}
      rows={checks}
    />
  );
}

function isBeyondLuck(check: RobustnessCheck): boolean {
  const p = luckOf(check);
  return p !== null && p <= LEVEL;
}

/** "split_70" as "first 70 % of days", "planted_0_05" as "planted 0.05". */
function checkWords(name: string): string {
  return name
    .replace(/^split_(\d+)$/, "first $1 % of days")
    .replace(/^year_(\d+)$/, "year $1")
    .replace(/^years$/, "all years together")
    .replace(NO_CHOICE, "always the default")
    .replace(/(\d)_(\d)/, "$1.$2")
    .replaceAll("_", " ");
}
