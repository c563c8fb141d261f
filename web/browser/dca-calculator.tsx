import type { DcaPlan } from "../../api/dca.ts";
import type { DcaSchedule } from "../dca-plans.ts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { barChart } from "../charts/bar-chart.tsx";
import { Figure } from "../charts/chart.tsx";
import { decimal, dollars, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";

export interface DcaProps {
  /** Upper case. */
  readonly ticker: string;
  readonly firstDate: string;
  readonly isSynthetic: boolean;
  /** The outcome shown first. */
  readonly first: DcaPlan;
  /** Undefined where nothing can be computed: on the server. */
  readonly outcomeOf?: (schedule: DcaSchedule) => DcaPlan | undefined;
}

/** Buying the same amount at intervals beside the same money at once. */
export function DcaCalculator({
  ticker,
  firstDate,
  isSynthetic,
  first,
  outcomeOf,
}: DcaProps): VNode {
  const [outcome, setOutcome] = useState(first);
  const [schedule, setSchedule] = useState<DcaSchedule>({
    amount: first.amount_usd ?? 0,
    frequency: first.frequency,
    startDate: first.start_date,
  });
  const [isRefused, setRefused] = useState(false);
  const change = (part: Partial<DcaSchedule>) => {
    const next = { ...schedule, ...part };
    setSchedule(next);
    const found = outcomeOf?.(next);
    setRefused(found === undefined);
    if (found !== undefined) setOutcome(found);
  };
  return (
    <div class="two">
      <div>
        <div class="card">
          <label class="field">
            <span>Dollars a purchase</span>
            <input
              type="number"
              min="1"
              max="1000000000"
              value={schedule.amount}
              onInput={(event) => change({ amount: event.currentTarget.valueAsNumber })}
            />
          </label>
          <label class="field">
            <span>How often</span>
            <select
              value={schedule.frequency}
              onInput={(event) =>
                change({
                  frequency: event.currentTarget.value === "monthly" ? "monthly" : "weekly",
                })
              }
            >
              <option value="weekly">every week</option>
              <option value="monthly">every month</option>
            </select>
          </label>
          <label class="field">
            <span>First purchase</span>
            <input
              type="date"
              min={firstDate}
              max={first.end_date}
              value={schedule.startDate}
              onInput={(event) => change({ startDate: event.currentTarget.value })}
            />
          </label>
          <p class="verdict" aria-live="polite">
            {isRefused
              ? `An amount above 0, and a day from ${firstDate} to ${first.end_date}.`
              : sentenceOf(outcome)}
          </p>
        </div>
      </div>
      <OutcomeFigure ticker={ticker} outcome={outcome} isSynthetic={isSynthetic} />
    </div>
  );
}

function sentenceOf(outcome: DcaPlan): string {
  const { purchases, invested_usd: invested, value_usd: value, comparison } = outcome;
  const wins = comparison.lump_sum_wins_pct;
  const often =
    wins === null ? "" : ` From ${decimal(wins, 0)} % of all first days, all at once ended higher.`;
  const times = purchases === 1 ? "1 purchase" : `${decimal(purchases, 0)} purchases`;
  return `${times}, ${dollars(invested)} in all, became ${dollars(value)} (${signedPercent(outcome.return_pct)}). All of it on the first day: ${dollars(outcome.lump_sum.value_usd)} (${signedPercent(outcome.lump_sum.return_pct)}).${often}`;
}

function OutcomeFigure({
  ticker,
  outcome,
  isSynthetic,
}: {
  readonly ticker: string;
  readonly outcome: DcaPlan;
  readonly isSynthetic: boolean;
}): VNode {
  const { invested_usd: invested, value_usd: value, lump_sum: lumpSum, comparison } = outcome;
  const winner = {
    dca: "Bit by bit ended higher than all at once",
    lump_sum: "All at once ended higher than bit by bit",
    tie: "Bit by bit and all at once ended the same",
  }[comparison.winner];
  const bars = [
    { name: "paid in", value: invested ?? 0, label: dollars(invested), colour: "context" as const },
    { name: "bit by bit", value: value ?? 0, label: dollars(value), colour: "accent" as const },
    {
      name: "all at once",
      value: lumpSum.value_usd ?? 0,
      label: dollars(lumpSum.value_usd),
      colour: "accent" as const,
    },
  ];
  const drawing = barChart(bars, {
    title: winner,
    subtitle: `${ticker} from ${outcome.start_date} to ${outcome.end_date}, at daily closes, without fees`,
    isSynthetic,
    base: 0,
    namesWidth: 92,
  });
  return <Figure drawing={drawing} table={<OutcomeTable outcome={outcome} />} />;
}

function OutcomeTable({ outcome }: { readonly outcome: DcaPlan }): VNode {
  const { lump_sum: lumpSum } = outcome;
  const rows: readonly (readonly [string, string, string])[] = [
    ["paid in", dollars(outcome.invested_usd), dollars(outcome.invested_usd)],
    ["worth at the end", dollars(outcome.value_usd), dollars(lumpSum.value_usd)],
    ["return", signedPercent(outcome.return_pct), signedPercent(lumpSum.return_pct)],
    ["return a year, money-weighted", signedPercent(outcome.irr_pct), "–"],
    ["average price paid", dollars(outcome.average_cost_usd), "–"],
    ["lowest against what was paid in", signedPercent(outcome.worst_return_pct), "–"],
    ["deepest fall from a high", "–", signedPercent(lumpSum.max_drawdown_pct)],
    ["days above what was paid in", `${decimal(outcome.days_in_profit_pct, 0)} %`, "–"],
  ];
  return (
    <Table
      label="Bit by bit and all at once"
      columns={[
        { name: "figure", isText: true, cell: ([name]) => name },
        { name: "bit by bit", cell: ([, dca]) => dca },
        { name: "all at once", cell: ([, , once]) => once },
      ]}
      rows={rows}
    />
  );
}
