import type { DcaPlan } from "../../api/dca.ts";
import type { DcaFound, DcaSchedule } from "../dca-plans.ts";
import { csvOf } from "../../api/csv.ts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { linesChart } from "../charts/lines-chart.tsx";
import { plain } from "../claim.ts";
import { decimal, dollars, share, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";
import { inputField, selectField } from "./field.tsx";
import { saveText } from "./save-text.ts";

export interface DcaProps {
  /** Upper case. */
  readonly ticker: string;
  readonly firstDate: string;
  readonly lastDate: string;
  readonly isSynthetic: boolean;
  /** What is shown first. */
  readonly first: DcaSchedule;
}

interface CalculatorProps extends DcaProps {
  readonly outcomeOf: (schedule: DcaSchedule) => DcaFound | undefined;
  readonly onSchedule?: (schedule: DcaSchedule) => void;
}

const DAYS_A_YEAR = 365.25;
const FREQUENCY_WORDS: Readonly<Record<DcaSchedule["frequency"], string>> = {
  daily: "every day",
  weekly: "every week",
  biweekly: "every two weeks",
  monthly: "every month",
};

/** Buying the same amount at intervals beside the same money at once. */
export function DcaCalculator(props: CalculatorProps): VNode {
  const { firstDate, lastDate, first, outcomeOf, onSchedule } = props;
  const [schedule, setSchedule] = useState(first);
  const [shown, setShown] = useState(() => outcomeOf(first));
  const [isRefused, setRefused] = useState(false);
  const change = (part: Partial<DcaSchedule>) => {
    const next = { ...schedule, ...part };
    setSchedule(next);
    const found = outcomeOf(next);
    setRefused(found === undefined);
    if (found === undefined) return;
    setShown(found);
    onSchedule?.(next);
  };
  return (
    <>
      <div class="card">
        {scheduleFields(schedule, props, change)}
        <p class="verdict" aria-live="polite">
          {isRefused || shown === undefined
            ? `An amount above 0, a fee from 0 to 10 %, and days from ${firstDate} to ${lastDate}, in order.`
            : sentenceOf(shown)}
        </p>
      </div>
      {!isRefused && shown !== undefined && outcomeFigure(shown, schedule.feePct, props)}
    </>
  );
}

function scheduleFields(
  { amount, frequency, startDate, endDate, feePct }: DcaSchedule,
  { firstDate, lastDate }: DcaProps,
  change: (part: Partial<DcaSchedule>) => void,
): VNode {
  const day = { type: "date", min: firstDate, max: lastDate };
  const dollars = { type: "number", min: "1", max: "1000000000", value: amount };
  const percent = { type: "number", min: "0", max: "10", step: "0.05", value: feePct };
  // What is typed may be no number, such as an empty box.
  const number = (text: string) => (text === "" ? NaN : Number(text));
  return (
    <div class="picks pairs">
      {inputField("Dollars a purchase", dollars, (text) => change({ amount: number(text) }))}
      {selectField(
        "How often",
        Object.entries(FREQUENCY_WORDS),
        { value: frequency },
        (chosen) => change({ frequency: chosen as DcaSchedule["frequency"] }), // one of the options
      )}
      {inputField("First purchase", { ...day, value: startDate }, (date) =>
        change({ startDate: date }),
      )}
      {inputField("Until", { ...day, value: endDate }, (date) => change({ endDate: date }))}
      {inputField("Fee, % of each purchase", percent, (text) => change({ feePct: number(text) }))}
    </div>
  );
}

function sentenceOf({ plan: outcome, spans }: DcaFound): string {
  const { purchases, invested_usd: invested, value_usd: value } = outcome;
  const shares = spans.map(({ days, share: part }) => `any ${spanWords(days)} ${share(part)}`);
  const often =
    shares.length === 0
      ? ""
      : ` All at once ended higher over ${shares.join(", over ")} of the time; such spans overlap.`;
  const times = purchases === 1 ? "1 purchase" : `${decimal(purchases, 0)} purchases`;
  return `${times}, ${dollars(invested)} in all, became ${dollars(value)} (${signedPercent(outcome.return_pct)}). All of it on the first day: ${dollars(outcome.lump_sum.value_usd)} (${signedPercent(outcome.lump_sum.return_pct)}).${often}`;
}

/** A length of time in years, where it is at least one, else in days. */
function spanWords(days: number): string {
  const years = Math.round((10 * days) / DAYS_A_YEAR) / 10;
  if (years < 1) return `${days} days`;
  return years === 1 ? "one year" : `${decimal(years, years % 1 === 0 ? 0 : 1)} years`;
}

function outcomeFigure(found: DcaFound, feePct: number, props: DcaProps): VNode {
  const { plan, dates, paid, value, lumpSum } = found;
  const { ticker, isSynthetic } = props;
  const title = plain(
    `${dollars(plan.value_usd)} bit by bit, ${dollars(plan.lump_sum.value_usd)} all at once, in these days`,
  );
  const costs = feePct > 0 ? `with a fee of ${decimal(feePct, 2)} %` : "without fees";
  const drawing = linesChart(
    [
      { name: "paid in", values: paid, tone: "context" },
      { name: "all at once", values: lumpSum, tone: "luck" },
      { name: "bit by bit", values: value, tone: "accent" },
    ],
    {
      title,
      subtitle: `What it was worth: ${ticker} from ${plan.start_date} to ${plan.end_date}, at daily closes, ${costs}`,
      description: `${dollars(plan.invested_usd)} paid in became ${dollars(plan.value_usd)} bit by bit and ${dollars(plan.lump_sum.value_usd)} at once.`,
      isSynthetic,
      dates,
      text: dollars,
      isLog: false,
    },
  );
  return (
    <Figure drawing={drawing} table={outcomeTable(plan)} source={filesOf(found, drawing, props)} />
  );
}

/** The picture's files, and the address that shows it again. */
function filesOf(found: DcaFound, drawing: Drawing, { ticker, isSynthetic }: DcaProps): VNode {
  const { dates, paid, value, lumpSum } = found;
  const name = `${ticker.toLowerCase()}-dca`;
  const saveCsv = () => {
    const named = {
      date: dates,
      paid_in_usd: paid,
      all_at_once_usd: lumpSum,
      bit_by_bit_usd: value,
    };
    const columns = Object.entries(named).map(([column, values]) => {
      return { name: column, field: "", cell: (row: number) => values[row] };
    });
    saveText(`${name}.csv`, "text/csv", csvOf({ columns, rows: [...dates.keys()] }));
  };
  const saveSvg = async () => {
    const { aloneChart } = await import("../charts/alone-chart.tsx");
    const text = aloneChart(drawing, `Hindsight, ${location.href}`, isSynthetic);
    saveText(`${name}.svg`, "image/svg+xml", text);
  };
  return (
    <>
      <button type="button" class="link" onClick={saveCsv}>
        CSV
      </button>{" "}
      ·{" "}
      <button type="button" class="link" onClick={() => void saveSvg()}>
        SVG
      </button>{" "}
      ·{" "}
      <a href="#dca" data-copy aria-live="polite">
        copy link
      </a>
    </>
  );
}

function outcomeTable(outcome: DcaPlan): VNode {
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
