import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import type { CheckReconciliation } from "../../api/reconciliation.ts";
import { CAUSE_NAMES } from "../../quant/live/reconcile-words.ts";
import { barChart, type Bar } from "../charts/bar-chart.tsx";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { decimal, signedDecimal } from "../format.ts";
import { Table, type Column } from "../table.tsx";
import { asSentence } from "./words.ts";

type Cause = CheckReconciliation["causes"][number];
type Worst = CheckReconciliation["worst"][number];

export interface ReconcileProps {
  readonly report: CheckReport;
  readonly isSynthetic: boolean;
  /** Saves all trades, where the page can. */
  readonly onSave?: (() => void) | undefined;
}

/** Why live differs: the sentence, the way from the backtest's points to live's, the causes and the notes. */
export function reconcileSection({ report, isSynthetic, onSave }: ReconcileProps): VNode | null {
  const { reconciliation, reconciliation_reason: reason } = report;
  if (reconciliation === null) {
    if (reason === null) return null;
    return <p class="hint">{asSentence(`why it differs can’t be told: ${reason.message}`)}</p>;
  }
  return (
    <>
      <section class="two" aria-label="Why it differs">
        <div>
          <h2>Why it differs</h2>
          <p class="said">{reconciliation.sentence}</p>
          <ul class="hint">
            {reconciliation.notes.map(({ code, message }) => (
              <li key={code + message}>{asSentence(message)}</li>
            ))}
          </ul>
          {reconciliation.basis === "days" && (
            <p class="hint">
              Fees, slippage and late trades can’t be told from days: send both lists of trades.
            </p>
          )}
          {onSave !== undefined && reconciliation.basis === "trades" && (
            <button type="button" onClick={onSave}>
              Save trades (CSV)
            </button>
          )}
        </div>
        <Figure drawing={waterfall(reconciliation, isSynthetic)} />
      </section>
      <details>
        <summary>The causes in figures, and the trades that cost the most</summary>
        <Table
          label="Causes of the difference"
          columns={CAUSE_COLUMNS}
          rows={reconciliation.causes}
        />
        {reconciliation.worst.length > 0 && (
          <Table
            label="Trades that cost the most"
            columns={WORST_COLUMNS}
            rows={reconciliation.worst}
          />
        )}
      </details>
    </>
  );
}

const CAUSE_COLUMNS: readonly Column<Cause>[] = [
  { name: "Cause", isText: true, cell: ({ cause }) => CAUSE_NAMES[cause] },
  { name: "Count", cell: ({ count }) => decimal(count, 0) },
  { name: "Points", cell: ({ points }) => signedDecimal(points, 2) },
  {
    name: "More than chance",
    isText: true,
    cell: ({ more_than_chance: isMore }) =>
      isMore === null ? "too few to tell" : isMore ? "yes" : "may be chance",
  },
];

const WORST_COLUMNS: readonly Column<Worst>[] = [
  { name: "Trade", isText: true, cell: ({ cause }) => WORST_NAMES[cause] },
  { name: "Coin", isText: true, cell: ({ coin, side }) => `${coin} ${side}` },
  { name: "Backtest entry", isText: true, isExtra: true, cell: (row) => row.backtest_entry ?? "" },
  { name: "Live entry", isText: true, isExtra: true, cell: (row) => row.live_entry ?? "" },
  { name: "Points", cell: ({ points }) => signedDecimal(points, 2) },
];

const WORST_NAMES = {
  matched: "in both",
  missing: CAUSE_NAMES.missing,
  extra: CAUSE_NAMES.extra,
  left_out: "left out",
};

/** Points of a cause that a picture shows. */
const SHOWN_MIN = 0.005;

/** Each cause begins where the one before it ends. */
function waterfall(reconciliation: CheckReconciliation, isSynthetic: boolean): Drawing {
  let at = reconciliation.backtest_pct;
  const shown = reconciliation.causes.filter(({ points }) => Math.abs(points) >= SHOWN_MIN);
  const steps = shown.map(({ cause, points }): Bar => {
    const from = at;
    at += points;
    const label = signedDecimal(points, 2);
    return {
      name: CAUSE_NAMES[cause],
      from,
      value: at,
      label,
      tone: points < 0 ? "luck" : "skill",
    };
  });
  const total = (name: string, value: number): Bar => {
    return { name, value, label: decimal(value, 2), tone: "context" };
  };
  const bars = [
    total("backtest", reconciliation.backtest_pct),
    ...steps,
    total("live", reconciliation.live_pct),
  ];
  return barChart(bars, {
    base: 0,
    title: "From the backtest to live",
    subtitle: `points, percent of each record’s own account; ${reconciliation.first} to ${reconciliation.last}`,
    isSynthetic,
  });
}
