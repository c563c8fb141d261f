import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import { indexMeaning, knownMonths, newestBand, newestMonth } from "../index-months.ts";
import type { VNode } from "preact";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { monthChart } from "../charts/month-chart.tsx";
import { decimal, monthName, share } from "../format.ts";
import { Table } from "../table.tsx";

/** The index by month with its null band; also `/index.svg`. */
export function indexDrawing(index: OverfittingIndex, isSynthetic: boolean): Drawing {
  const subtitle =
    "Crypto Overfitting Index by month, 0 to 100, with its 90 % range; amber: where it falls when days are in random order";
  const months = knownMonths(index);
  const title = indexTitle(index);
  return monthChart({ months, band: newestBand(index), isSynthetic, title, subtitle });
}

function indexTitle(index: OverfittingIndex): string {
  const newest = newestMonth(index);
  if (newest === undefined) return "The index has no month yet";
  return `The overfitting index is ${decimal(newest.value, 1)} in ${monthName(newest.month)}: ${indexMeaning(newest)}`;
}

/** The index by month, small. */
export function IndexNow({
  index,
  isSynthetic,
}: {
  readonly index: OverfittingIndex;
  readonly isSynthetic: boolean;
}): VNode {
  const drawing = monthChart({
    months: knownMonths(index),
    band: newestBand(index),
    isSynthetic,
    title: indexTitle(index),
    subtitle:
      "Does the ranking of strategies last? 50: picking the best is a coin flip; amber: luck alone",
    size: { width: 580, height: 210, narrowHeight: 220 },
  });
  return <Figure drawing={drawing} source={<a href="/index">How it moved, and why</a>} />;
}

/** In how many months the index lay outside the null band; undefined without one. */
export function luckTitle(index: OverfittingIndex): string | undefined {
  const judged = knownMonths(index).filter(({ significant }) => significant !== null);
  if (judged.length === 0) return undefined;
  const outside = judged.filter(({ significant }) => significant === true).length;
  return outside === 0
    ? `None of ${judged.length} months can be told from luck`
    : `${outside} of ${judged.length} months can be told from luck`;
}

/** The two layers that the index is the mean of, side by side. */
export function LayerFigures({
  index,
  isSynthetic,
}: {
  readonly index: OverfittingIndex;
  readonly isSynthetic: boolean;
}): VNode {
  const layer = (name: "tuning" | "shopping", words: string, subtitle: string) => {
    const months = index.history.flatMap(({ month, components }) => {
      const value = components[name];
      return value === null ? [] : [{ month, value, low: null, high: null }];
    });
    const newest = months.at(-1);
    const title = `${words}: ${decimal(newest?.value, 1)}${newest === undefined ? "" : ` in ${monthName(newest.month)}`}`;
    const size = { width: 520, height: 240, narrowHeight: 240 };
    return (
      <Figure drawing={monthChart({ months, band: null, isSynthetic, title, subtitle, size })} />
    );
  };
  return (
    <div class="two even">
      {layer("tuning", "Tuning", "Choosing among the 13 settings of one rule")}
      {layer("shopping", "Shopping", "Choosing among all 286 runs on a coin")}
    </div>
  );
}

export function IndexFigure({
  index,
  isSynthetic,
}: {
  readonly index: OverfittingIndex;
  readonly isSynthetic: boolean;
}): VNode {
  const newest = newestMonth(index);
  return (
    <Figure
      drawing={indexDrawing(index, isSynthetic)}
      source={
        <>
          {newest !== undefined && `${newest.coins} coins, ${decimal(newest.runs, 0)} runs · `}
          <a href="/index.csv">CSV</a> · <a href="/index.svg">SVG</a> ·{" "}
          <a href="/docs/methods/the-crypto-overfitting-index">how it is computed</a>
        </>
      }
      table={
        <Table
          label="The index by month"
          columns={[
            { name: "month", isText: true, cell: ({ month }) => month },
            { name: "index", cell: ({ value }) => decimal(value, 1) },
            { name: "low", cell: ({ low }) => decimal(low, 1) },
            { name: "high", cell: ({ high }) => decimal(high, 1) },
            { name: "tuning", cell: ({ components }) => decimal(components.tuning, 1) },
            { name: "shopping", cell: ({ components }) => decimal(components.shopping, 1) },
            { name: "as low by luck", cell: ({ luck_share: luck }) => share(luck) },
            { name: "coins", cell: ({ coins }) => String(coins) },
          ]}
          rows={knownMonths(index).toReversed()}
        />
      }
    />
  );
}
