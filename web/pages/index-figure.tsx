import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import { bandOf, indexWords, knownMonths, newestMonth } from "../index-months.ts";
import type { VNode } from "preact";
import type { ChartParts } from "../charts/chart.tsx";
import { monthChart, type MonthValue } from "../charts/month-chart.tsx";
import { plain } from "../claim.ts";
import { decimal, monthName, share } from "../format.ts";
import { Table } from "../table.tsx";

/** All months with one band, of the draws of all of them. */
function monthsWithBand(index: OverfittingIndex): readonly MonthValue[] {
  const { low, high } = index.luck;
  const band = low === null || high === null ? null : { low, high };
  return knownMonths(index).map(({ month, value }) => ({ month, value, band }));
}

/** What the amber band is, as the end of a subtitle. */
function bandWords({ luck }: OverfittingIndex): string {
  return luck.low === null
    ? ""
    : `; amber: where 9 of 10 of ${decimal(luck.draws, 0)} random orders of the days put it`;
}

function indexTitle(index: OverfittingIndex): string {
  const newest = newestMonth(index);
  if (newest === undefined) return "The index has no month yet";
  return plain(
    `The overfitting index in ${monthName(newest.month)}: ${indexWords(newest, index.luck)}`,
  );
}

/** The index by month, as a small chart. */
export function indexNow(index: OverfittingIndex): ChartParts {
  const drawing = monthChart({
    months: monthsWithBand(index),
    title: indexTitle(index),
    subtitle: `Does the ranking of strategies last? 50: picking the best is a coin flip${bandWords(index)}`,
    size: { width: 580, height: 210, narrowHeight: 220 },
  });
  return { drawing, source: <a href="/index">How it moved, and why</a> };
}

const LAYERS = {
  tuning: ["Tuning", "Choosing among the 13 settings of one rule"],
  shopping: ["Shopping", "Choosing among all 286 settings on a coin"],
} as const;

/** One of the two layers that the index is the mean of. */
export function layerChart(index: OverfittingIndex, layer: keyof typeof LAYERS): ChartParts {
  const [name, subtitle] = LAYERS[layer];
  const months = index.history.flatMap(({ month, components }) => {
    const value = components[layer];
    return value === null ? [] : [{ month, value, band: null }];
  });
  const newest = months.at(-1);
  const title = plain(
    `${name}: ${decimal(newest?.value, 1)}${newest === undefined ? "" : ` in ${monthName(newest.month)}`}`,
  );
  const size = { width: 520, height: 240, narrowHeight: 240 };
  const rows = (
    <Table
      label={title}
      columns={[
        { name: "month", isText: true, cell: ({ month }) => month },
        { name: layer, cell: ({ value }) => decimal(value, 1) },
      ]}
      rows={months}
    />
  );
  return { drawing: monthChart({ months, title, subtitle, size }), rows };
}

/** The index by month with its null band. */
export function indexChart(index: OverfittingIndex): ChartParts {
  const newest = newestMonth(index);
  const drawing = monthChart({
    months: monthsWithBand(index),
    title: indexTitle(index),
    subtitle: `Crypto Overfitting Index by month, 0 to 100${bandWords(index)}. Coins of the snapshot’s board: those that died are missing`,
  });
  const source = (
    <>
      {newest !== undefined && `${newest.coins} coins, ${decimal(newest.runs, 0)} runs · `}
      <a href="/docs/methods/the-crypto-overfitting-index">how it is computed</a>
    </>
  );
  return { drawing, source, table: monthsTable(index) };
}

function monthsTable(index: OverfittingIndex): VNode {
  return (
    <Table
      label="The index by month"
      columns={[
        { name: "month", isText: true, cell: ({ month }) => month },
        { name: "index", cell: ({ value }) => decimal(value, 1) },
        { name: "luck alone from", cell: (of) => bandText(bandOf(of)?.low) },
        { name: "to", cell: (of) => bandText(bandOf(of)?.high) },
        { name: "tuning", cell: ({ components }) => decimal(components.tuning, 1) },
        { name: "shopping", cell: ({ components }) => decimal(components.shopping, 1) },
        { name: "stands out", cell: ({ stands_out: is }) => standingText(is) },
        { name: "as low by luck", cell: ({ luck_share: luck }) => share(luck) },
        { name: "coins", cell: ({ coins }) => String(coins) },
      ]}
      rows={knownMonths(index).toReversed()}
    />
  );
}

const bandText = (bound: number | undefined) =>
  bound === undefined ? "not yet computed" : decimal(bound, 1);

const standingText = (standsOut: boolean | null) =>
  standsOut === null ? decimal(null, 0) : standsOut ? "yes" : "no";
