import type { RobustnessCheck } from "../../api/dataset-robustness.ts";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { decimal, share, signedDecimal } from "../format.ts";
import type { PageSource } from "../layout.tsx";
import { Table } from "../table.tsx";

type Checks = Readonly<Record<string, RobustnessCheck>> | null;

/** The lead while choosing and afterwards, by every check. */
export function robustnessChart(checks: Checks): ChartParts | null {
  if (checks === null) return null;
  const named = Object.entries(checks);
  const asked = named.filter(([name]) => !name.startsWith("planted"));
  const lasting = asked.filter(([, check]) => isLasting(check)).length;
  const rows = named.map(([name, check]) => ({
    name: checkWords(name),
    before: check.premium_in_sample,
    after: check.premium_out_of_sample,
    range:
      check.low === null || check.high === null ? undefined : ([check.low, check.high] as const),
    isGood: isLasting(check),
  }));
  const drawing = rowChart(rows, {
    title: `In ${lasting} of ${asked.length} ways of asking, the lead afterwards was clearly above zero`,
    subtitle:
      "Lead of the pick over the mean of its settings, in annual Sharpe; bar: 95 % interval afterwards; teal where all of it is above zero",
    before: "while choosing",
    after: "afterwards",
    digits: 3,
  });
  return { drawing, table: checksTable(named) };
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
          The interval comes from drawing coins with replacement; they share one market, so it is
          too narrow rather than too wide.
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
        { name: "kept", cell: ([, of]) => share(of.share_kept) },
        { name: "picks", cell: ([, of]) => decimal(of.picks, 0) },
      ]}
      rows={checks}
    />
  );
}

function isLasting({ low }: RobustnessCheck): boolean {
  return low !== null && low > 0;
}

/** "split_70" as "first 70 % of days", "planted_0_05" as "planted 0.05". */
function checkWords(name: string): string {
  return name
    .replace(/^split_(\d+)$/, "first $1 % of days")
    .replace(/^year_(\d+)$/, "year $1")
    .replace(/^years$/, "all years together")
    .replace(/(\d)_(\d)/, "$1.$2")
    .replaceAll("_", " ");
}
