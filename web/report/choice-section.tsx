import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport, CheckCscv, CheckFamily } from "../../api/check-report.ts";
import { Figure } from "../charts/chart.tsx";
import { keptChart } from "../charts/kept-chart.tsx";
import { chance, decimal, share, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { FactTable, type Fact } from "./fact-table.tsx";
import { asSentence } from "./words.ts";

const NAMES_MAX = 20;

/** The variants together: which pass, and what is left of a choice among them. Nothing for a single one. */
export function ChoiceSection({
  report,
  series,
  isSynthetic,
}: {
  readonly report: CheckReport;
  readonly series: JudgedSeries | undefined;
  readonly isSynthetic: boolean;
}): VNode | null {
  const { cscv, family, family_reason: reason, input } = report;
  if (series === undefined || input.variants < 2) return null;
  return (
    <section class={cscv === null ? undefined : "two"}>
      {cscv !== null && (
        <Kept cscv={cscv} report={report} series={series} isSynthetic={isSynthetic} />
      )}
      <div>
        <h2>Which variants pass</h2>
        {family === null ? <p>{asSentence(reason)}</p> : <Survivors family={family} />}
        <Trials report={report} />
      </div>
    </section>
  );
}

function Kept({
  cscv,
  report,
  series,
  isSynthetic,
}: {
  readonly cscv: CheckCscv;
  readonly report: CheckReport;
  readonly series: JudgedSeries;
  readonly isSynthetic: boolean;
}): VNode {
  const { slope, intercept, r_squared: fit } = cscv.degradation;
  const annual = Math.sqrt(series.periodsPerYear);
  const facts: Fact[] = [
    ["slope", significant(slope)],
    ["intercept, a year", significant(intercept === null ? null : intercept * annual)],
    ["R squared", significant(fit)],
    ["probability of loss in the other half", share(cscv.probability_of_loss)],
    ["the choice beats all variants, first order", cscv.first_order_dominance ? "yes" : "no"],
    ["the choice beats all variants, second order", cscv.second_order_dominance ? "yes" : "no"],
  ];
  const table = <FactTable label="What a choice is worth in the other half" facts={facts} />;
  if (slope === null || intercept === null) return table;
  const most = Math.max(1, 1.5 * (report.series?.sharpe ?? 0));
  const drawing = keptChart(
    { slope, intercept: intercept * annual, most },
    {
      title: keptTitle(slope),
      subtitle: "Yearly Sharpe ratio of the winner of one half, in the other half: the fitted line",
      isSynthetic,
    },
  );
  return <Figure drawing={drawing} table={table} />;
}

function keptTitle(slope: number): string {
  if (slope < 0) return "The better it looked in one half, the worse it did in the other";
  return `Of each point of Sharpe ratio in one half, ${decimal(slope, 2)} was left in the other`;
}

function Survivors({ family }: { readonly family: CheckFamily }): VNode {
  const { survivors, survivor_count: count, untested, untested_reason: reason } = family;
  const facts: Fact[] = [
    ["p against cash", chance(family.p_cash)],
    ["p against holding the coin", chance(family.p_coin)],
    ["White's p on means, for comparison", significant(family.white_p_value)],
    ["Hansen's p on means, for comparison", significant(family.hansen_p_value)],
    ["length of the blocks, bars", decimal(family.block_length, 0)],
    [
      "that long for",
      family.block_length_set_by === "selected" ? "the variant that is judged" : "most variants",
    ],
    ["resamples", decimal(family.resamples, 0)],
  ];
  return (
    <>
      <p>
        {count === 0
          ? "At 5 %, luck is not ruled out for any of them once all are counted."
          : `${decimal(count, 0)} ${count === 1 ? "passes" : "pass"} at 5 % once all are counted: ${some(survivors)}.`}
      </p>
      {untested.length > 0 && (
        <p>
          {`${decimal(untested.length, 0)} ${untested.length === 1 ? "is" : "are"} not tested, because ${reason}: ${some(untested)}.`}
        </p>
      )}
      <FactTable label="Tests of all variants together" facts={facts} />
    </>
  );
}

/** As many names as a reader takes in, and the number of the others. */
function some(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return `${names.slice(0, NAMES_MAX).join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The number of trials, counted in three ways, with the deflated Sharpe ratio at each. */
function Trials({ report }: { readonly report: CheckReport }): VNode | null {
  const { n, implied, effective_rank: rank, dsr } = report.trials;
  if (dsr === null) return null;
  const rows = [
    ["all, which the verdict takes", n, dsr.n],
    ["by their mean correlation", implied, dsr.implied],
    ["effective rank", rank, dsr.effective_rank],
  ] as const;
  return (
    <Table
      label="The number of trials, counted in three ways"
      columns={[
        { name: "trials counted", isText: true, cell: ([name]) => name },
        { name: "number", cell: ([, count]) => significant(count) },
        { name: "deflated Sharpe (DSR)", cell: ([, , value]) => significant(value) },
      ]}
      rows={rows}
    />
  );
}
