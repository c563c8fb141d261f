import type { VNode } from "preact";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { monthChart } from "../charts/month-chart.tsx";
import { decimal, monthName, share } from "../format.ts";
import {
  indexMeaning,
  knownMonths,
  newestBand,
  newestMonth,
  type IndexData,
} from "../index-data.ts";
import { Table } from "../table.tsx";

/** The index by month with its null band; also `/index.svg`. */
export function indexDrawing(index: IndexData, isSynthetic: boolean): Drawing {
  const months = knownMonths(index);
  const newest = newestMonth(index);
  const title =
    newest === undefined
      ? "The index has no month yet"
      : `The index is ${decimal(newest.value, 1)} in ${monthName(newest.month)}: ${indexMeaning(newest)}`;
  const subtitle =
    "Crypto Overfitting Index by month, 0 to 100, with its 90 % range; the blue band is where it falls when days are in random order";
  return monthChart({ months, band: newestBand(index), isSynthetic, title, subtitle });
}

export function IndexFigure({
  index,
  isSynthetic,
}: {
  readonly index: IndexData;
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
