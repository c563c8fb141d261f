import { Command } from "commander";
import type { Figure } from "../../quant/dataset/figure.ts";
import { FIGURES } from "../../quant/dataset/figures.ts";
import type { DatasetTables } from "../../snapshots/dataset-tables.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { UsageError } from "../support/usage-error.ts";
import { currentSnapshot, tellMadeUpPrices } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";
import { jsonOption, snapshotsOption, settable } from "./shared-options.ts";
import { printTable } from "./text-table.ts";

const SCOPES = ["template", "coin", "family"] as const;
/** The figure that parts are compared by if none is named. */
const FIGURE_OF_PARTS = "median_out_of_sample_sharpe";
/** Digits in the table for people. JSON has all of them. */
const SHOWN_DIGITS = 4;
/** The number of runs of the whole dataset, which is part of the names of some figures. */
const WHOLE_DATASET = 11_440;

interface Options {
  readonly snapshots: string;
  readonly by?: (typeof SCOPES)[number];
  readonly figure?: string;
  readonly json?: true;
}

/** A figure and the value that a coin flip gives. `of` is the name of the figure or of the part. */
interface FigureRow {
  readonly of: string;
  readonly value: number | null;
  readonly coin_flip: number | null;
  readonly n: number;
}

/**
 * `hindsight figures`: the dataset's headline, which docs/dataset.md quotes, or one of its figures for each
 * part.
 */
export function figuresCommand(): Command {
  return new Command("figures")
    .addOption(
      settable("--by <part>", "one figure, for each template, coin or family").choices(SCOPES),
    )
    .addOption(
      settable(
        "--figure <name>",
        `only this figure (default with --by: ${FIGURE_OF_PARTS})`,
      ).argParser(parseFigure),
    )
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(figures);
}

function parseFigure(name: string): string {
  const names = FIGURES.map((figure) => figure.name);
  if (names.includes(name)) return name;
  const hint = suggestion(name, names) || ": hindsight figures lists them";
  throw new UsageError(`there is no figure "${name}"${hint}`);
}

async function figures({ snapshots, by, figure, json }: Options): Promise<void> {
  const { id, manifest, dataset } = await openSnapshot(await currentSnapshot(snapshots));
  const ofParts = figure ?? FIGURE_OF_PARTS;
  const rows = by === undefined ? headlineRows(dataset, figure) : partRows(dataset, by, ofParts);
  const { version, coins, runs, picks } = dataset.about;
  if (json === true) {
    const about = { dataset: version, snapshot: id, synthetic: manifest.synthetic };
    console.log(JSON.stringify({ ...about, runs, coins, picks, figures: rows }, null, 2));
    return;
  }
  console.log(
    `dataset ${version} of ${id}: ${runs} runs on ${coins} ${coins === 1 ? "coin" : "coins"}, ${picks} picks\n`,
  );
  const titles = by === undefined ? ["figure", "value"] : [by, ofParts];
  const cells = rows.map((row) => [row.of, shown(row.value), shown(row.coin_flip), String(row.n)]);
  printTable([...titles, "coin flip", "n"], cells);
  const named = by === undefined ? rows.map(({ of }) => of) : [ofParts];
  if (runs !== WHOLE_DATASET && named.some((name) => name.endsWith(`_n_${WHOLE_DATASET}`)))
    console.log(`\nn_${WHOLE_DATASET}: all runs of the dataset, of which this one has ${runs}.`);
  tellMadeUpPrices(manifest);
}

function headlineRows({ headlines }: DatasetTables, only: string | undefined): FigureRow[] {
  const all = headlines.find(({ scope }) => scope === "all");
  const rows = (all?.figures ?? []).map((figure) => rowOf(figure.name, figure));
  return only === undefined ? rows : rows.filter(({ of }) => of === only);
}

/** The values of one figure, the largest first, and parts without a value last. */
function partRows({ headlines }: DatasetTables, by: string, name: string): FigureRow[] {
  const index = FIGURES.findIndex((figure) => figure.name === name);
  return headlines
    .filter(({ scope }) => scope === by)
    .map((part) => rowOf(part.template || part.coin || part.family, part.figures[index]!)) // each has all
    .sort((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity));
}

function rowOf(of: string, { value, coinFlip, count }: Figure): FigureRow {
  return { of, value: orNull(value), coin_flip: orNull(coinFlip), n: count };
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function shown(value: number | null): string {
  return value === null ? "" : String(Number(value.toPrecision(SHOWN_DIGITS)));
}
