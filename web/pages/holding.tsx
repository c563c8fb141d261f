import type { HoldingYear } from "../../api/buy-hold.ts";
import type { VNode } from "preact";
import { barChart } from "../charts/bar-chart.tsx";
import { FigureAt, type ChartParts } from "../charts/chart.tsx";
import { dollars, signedPercent } from "../format.ts";
import type { PageData } from "../layout.tsx";
import { Table } from "../table.tsx";

const DAYS_A_YEAR = 365;

export interface Holding {
  /** Upper case. */
  readonly ticker: string;
  /** The coin's last day. */
  readonly until: string | null;
  readonly years: readonly HoldingYear[];
  /** False where the operator withholds prices. */
  readonly hasPrices: boolean;
}

const knownOf = (years: readonly HoldingYear[]) =>
  years.filter(({ value_of_1000_usd: value }) => value !== null && value > 0);

/** The return to the last day by year of purchase. */
export function holdingChart(of: Holding): ChartParts {
  const { ticker, until, years, hasPrices } = of;
  const bars = knownOf(years).map(({ year, value_of_1000_usd: value, return_pct: gain }) => ({
    name: String(year),
    value: value! / 1000, // known ones have it
    label: signedPercent(gain, 0),
    tone: (gain ?? 0) < 0 ? ("luck" as const) : ("skill" as const),
  }));
  const drawing = barChart(bars, {
    title: `Return to ${until ?? "today"} by year of purchase`,
    subtitle: "Bought at the year’s first close; bar lengths logarithmic",
    base: 1,
    isLog: true,
  });
  return { drawing, table: <YearsTable ticker={ticker} years={years} hasPrices={hasPrices} /> };
}

/** What buying at the start of each year and holding came to. */
export function HoldingSection({ data, about }: PageData<Holding>): VNode {
  const { ticker, years } = data;
  const known = knownOf(years);
  const gains = known.filter(({ return_pct: gain }) => (gain ?? 0) > 0).length;
  const worst = Math.min(0, ...years.map(({ max_drawdown_pct: fall }) => fall ?? 0));
  return (
    <section aria-label="Buying and holding" class="two">
      <div>
        <h2>
          Bought at the start of a year and held, {ticker} gained from {gains} of {known.length}{" "}
          {known.length === 1 ? "year" : "years"}
        </h2>
        <p>
          What it felt like is another question: the deepest fall on the way was{" "}
          {signedPercent(worst, 0)}.
        </p>
      </div>
      <FigureAt
        file={`/coins/${ticker.toLowerCase()}/holding`}
        parts={holdingChart(data)}
        about={about}
      />
    </section>
  );
}

function YearsTable({
  ticker,
  years,
  hasPrices,
}: {
  readonly ticker: string;
  readonly years: readonly HoldingYear[];
  readonly hasPrices: boolean;
}): VNode {
  const price = { name: "at", cell: ({ entry_price_usd: at }: HoldingYear) => dollars(at) };
  return (
    <Table
      label={`Buying and holding ${ticker}, by year of purchase`}
      columns={[
        { name: "bought", isText: true, cell: ({ entry_date: entry }) => entry },
        ...(hasPrices ? [price] : []),
        { name: "$1,000 became", cell: ({ value_of_1000_usd: value }) => dollars(value) },
        { name: "return", cell: ({ return_pct: gain }) => signedPercent(gain) },
        {
          name: "a year",
          // A rate of some weeks, compounded to a year, is no figure to read.
          cell: ({ cagr_pct: rate, days_held: days }) =>
            signedPercent(days < DAYS_A_YEAR ? null : rate),
        },
        { name: "at its best", cell: ({ peak_return_pct: peak }) => signedPercent(peak) },
        { name: "worst fall", cell: ({ max_drawdown_pct: fall }) => signedPercent(fall) },
      ]}
      rows={years.toReversed()}
    />
  );
}
