import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport, CheckCscv, CheckFamily } from "../../api/check-report.ts";
import { chance, decimal, share, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { factTable } from "./fact-table.tsx";
import { asSentence } from "./words.ts";

const NAMES_MAX = 20;

/** The variants together: which pass, and what is left of a choice among them. Nothing for a single variant. */
export function choiceSection(report: CheckReport, series: JudgedSeries | undefined): VNode | null {
  const { cscv, family, family_reason: reason, input } = report;
  if (series === undefined || input.variants < 2) return null;
  return (
    <section class={cscv === null ? undefined : "two"}>
      {cscv !== null && keptFigures(cscv, series)}
      <div>
        <h2>Which variants pass</h2>
        {family === null ? <p>{asSentence(reason)}</p> : survivors(family)}
        {trialsTable(report)}
      </div>
    </section>
  );
}

function keptFigures(cscv: CheckCscv, { periodsPerYear }: JudgedSeries): VNode {
  const { slope, intercept, r_squared: fit } = cscv.degradation;
  const annual = intercept === null ? null : intercept * Math.sqrt(periodsPerYear);
  const title = "What a choice is worth in the other half";
  return (
    <div>
      <h2>{title}</h2>
      {factTable(title, [
        ["slope", significant(slope)],
        ["intercept, a year", significant(annual)],
        ["R squared", significant(fit)],
        ["probability of loss in the other half", share(cscv.probability_of_loss)],
        ["the choice beats all variants, first order", cscv.first_order_dominance ? "yes" : "no"],
        ["the choice beats all variants, second order", cscv.second_order_dominance ? "yes" : "no"],
      ])}
      <p class="hint">
        The two halves share one record, so the line slopes down even where skill is real: it isn't
        a sign of luck.
      </p>
    </div>
  );
}

function survivors(family: CheckFamily): VNode {
  const { survivors, survivor_count: count, untested, untested_reason: reason } = family;
  const isSelected = family.block_length_set_by === "selected";
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
      {factTable("Tests of all variants together", [
        ["p against cash", chance(family.p_cash)],
        ["p against holding the coin", chance(family.p_coin)],
        ["White's p on means, for comparison", significant(family.white_p_value)],
        ["Hansen's p on means, for comparison", significant(family.hansen_p_value)],
        ["length of the blocks, bars", decimal(family.block_length, 0)],
        ["that long for", isSelected ? "the variant that is judged" : "most variants"],
        ["resamples", decimal(family.resamples, 0)],
      ])}
    </>
  );
}

/** The first names, and the number of the others. */
function some(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return `${names.slice(0, NAMES_MAX).join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The number of trials, counted in three ways, with the deflated Sharpe ratio at each. */
function trialsTable({ trials }: CheckReport): VNode | null {
  const { n, implied, effective_rank: rank, dsr } = trials;
  if (dsr === null) return null;
  const rows = [
    ["all, which the verdict takes", n, dsr.n],
    ["by their mean correlation", implied, dsr.implied],
    ["effective rank", rank, dsr.effective_rank],
  ] as const;
  return (
    <>
      <p>
        Sharpe ratio to expect of the one that was judged: {decimal(trials.expected_sharpe, 2)} a
        year.
      </p>
      <Table
        label="The number of trials, counted in three ways"
        columns={[
          { name: "trials counted", isText: true, cell: ([name]) => name },
          { name: "number", cell: ([, count]) => significant(count) },
          { name: "deflated Sharpe (DSR)", cell: ([, , value]) => significant(value) },
        ]}
        rows={rows}
      />
    </>
  );
}
