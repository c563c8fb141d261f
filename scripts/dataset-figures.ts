/**
 * Prints the headline figures of a snapshot's dataset beside their coin flips: the numbers docs/dataset.md quotes.
 *
 *   node dist/scripts/dataset-figures.js [--snapshots DIR] [--by template|coin|family --figure NAME]
 */
import { parseArgs } from "node:util";
import { FIGURES } from "../quant/dataset/figures.ts";
import type { Figure } from "../quant/dataset/figure.ts";
import { findCurrent } from "../snapshots/folder.ts";
import { openSnapshot } from "../snapshots/reader.ts";
import { textTable } from "./commands/text-table.ts";

const { values: options } = parseArgs({
  options: {
    snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? "snapshots/data" },
    by: { type: "string" },
    figure: { type: "string", default: "median_out_of_sample_sharpe" },
  },
});

function cells({ value, coinFlip, count }: Figure): string[] {
  const text = (number: number) =>
    Number.isNaN(number) ? "" : String(Number(number.toPrecision(4)));
  return [text(value), text(coinFlip), String(count)];
}

const dir = await findCurrent(options.snapshots);
if (dir === undefined) throw new Error(`there is no snapshot in "${options.snapshots}"`);
const { id, dataset } = await openSnapshot(dir);
const { version, coins, runs, picks } = dataset.about;
console.log(`dataset ${version} of ${id}: ${runs} runs on ${coins} coins, ${picks} picks\n`);
if (options.by === undefined) {
  const all = dataset.headlines.find(({ scope }) => scope === "all");
  const rows = (all?.figures ?? []).map((figure) => [figure.name, ...cells(figure)]);
  for (const line of textTable(["figure", "value", "coin flip", "n"], rows)) console.log(line);
} else {
  const index = FIGURES.findIndex(({ name }) => name === options.figure);
  if (index < 0) throw new Error(`there is no figure "${options.figure}"`);
  const rows = dataset.headlines
    .filter(({ scope }) => scope === options.by)
    .map((part) => ({ part, figure: part.figures[index]! })) // every headline has every figure
    .sort((one, other) => other.figure.value - one.figure.value)
    .map(({ part, figure }) => [part.template || part.coin || part.family, ...cells(figure)]);
  for (const line of textTable([options.by, options.figure, "coin flip", "n"], rows))
    console.log(line);
}
