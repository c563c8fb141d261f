import type { HoldingYear } from "../../api/buy-hold.ts";
import type { VNode } from "preact";
import { barChart } from "../charts/bar-chart.tsx";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { plain } from "../claim.ts";
import { dollars, signedPercent } from "../format.ts";
import type { PageSource } from "../layout.tsx";
import type { CoinData } from "../site-data.ts";
import { Table, type Column } from "../table.tsx";

const DAYS_A_YEAR = 365;

const knownOf = (years: readonly HoldingYear[]) =>
  years.filter(({ value_of_1000_usd: value }) => value !== null && value > 0);

/** The return to the last day by year of purchase. */
export function holdingChart(data: CoinData): ChartParts {
  const bars = knownOf(data.years).map(({ year, value_of_1000_usd: value, return_pct: gain }) => ({
    name: String(year),
    value: value! / 1000, // the known ones have it
    label: signedPercent(gain, 0),
    tone: (gain ?? 0) < 0 ? ("luck" as const) : ("skill" as const),
  }));
  const drawing = barChart(bars, {
    title: plain(`Return to ${data.reading.date ?? "the last day"} by year of purchase`),
    subtitle: "Bought at the year’s first close; bar lengths logarithmic",
    base: 1,
    isLog: true,
  });
  return { drawing, table: yearsTable(data) };
}

/** What buying at the start of each year and holding came to. */
export function holdingSection(data: CoinData, about: PageSource): VNode {
  const { years, reading } = data;
  // A year that the coin’s history begins within has no first day.
  const known = knownOf(years).filter(({ entry_date: date }) => date?.endsWith("-01-01"));
  const gains = known.filter(({ return_pct: gain }) => (gain ?? 0) > 0).length;
  const worst = Math.min(0, ...years.map(({ max_drawdown_pct: fall }) => fall ?? 0));
  return (
    <section aria-label="Buying and holding" class="two">
      <div>
        <h2>
          Bought on the first day of a year and held, {reading.coin.toUpperCase()} gained from{" "}
          {gains} of {known.length}, all to the same last day
        </h2>
        <p>
          What it felt like is another question: the deepest fall on the way was{" "}
          {signedPercent(worst, 0)}.
        </p>
      </div>
      {figureAt(`/coins/${reading.coin}/holding`, holdingChart(data), about)}
    </section>
  );
}

function yearsTable({ reading, years, closes }: CoinData): VNode {
  const price: Column<HoldingYear> = { name: "at", cell: (year) => dollars(year.entry_price_usd) };
  // A return of less than a year, compounded to a year, would mislead.
  const rate = ({ cagr_pct: rate, days_held: days }: HoldingYear) =>
    signedPercent(days < DAYS_A_YEAR ? null : rate);
  return (
    <Table
      label={`Buying and holding ${reading.coin.toUpperCase()}, by year of purchase`}
      columns={[
        { name: "bought", isText: true, cell: (year) => year.entry_date },
        ...(closes === null ? [] : [price]),
        { name: "$1,000 became", cell: (year) => dollars(year.value_of_1000_usd) },
        { name: "return", cell: (year) => signedPercent(year.return_pct) },
        { name: "a year", cell: rate },
        { name: "at its best", cell: (year) => signedPercent(year.peak_return_pct) },
        { name: "worst fall", cell: (year) => signedPercent(year.max_drawdown_pct) },
      ]}
      rows={years.toReversed()}
    />
  );
}
