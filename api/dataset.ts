import type { Figure } from "../quant/dataset/figure.ts";
import { FIGURES } from "../quant/dataset/figures.ts";
import type { Headline } from "../quant/dataset/headline.ts";
import type { DatasetTables, Row } from "../snapshots/dataset-tables.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { cellsOf } from "./cells.ts";
import { DatasetPick } from "./dataset-pick.ts";
import { RobustnessCheck } from "./dataset-robustness.ts";
import { date, int, map, number, numbers, object, text, written, writtenList } from "./members.ts";
import { facts, record, type FactsOf, type Json, type Member } from "./record.ts";

const DatasetFigure = record<Figure>({
  id: "DatasetFigure",
  description: "A headline figure beside its coin flip.",
})({
  value: number.orNull(),
  coin_flip: number.orNull("what a choice without information gives; null where none is made"),
  range: numbers.ifAny(
    "least and greatest value of the 13 variants, each fixed in advance for all cells; of a share of variance, 5 to 95 % of 1,000 shuffles; absent of other figures",
  ),
  n: int("picks, runs, cells or coins the value is taken over", (figure) => figure.count),
});

/** The figures of a part of the dataset, by name. */
type FiguresOfPart = ReadonlyMap<string, Figure>;
type FigureMember = Member<FiguresOfPart, Json<typeof DatasetFigure> | undefined>;

const figureMembers = FIGURES.map(({ name, description, coinFlip }): [string, FigureMember] => {
  const words = coinFlip === null ? description : `${description}. Coin flip: ${coinFlip}`;
  return [name, object(DatasetFigure).ifAny(words, (figures: FiguresOfPart) => figures.get(name))];
});

const DatasetFigures = record<FiguresOfPart>({
  id: "DatasetFigures",
  description: "Headline figures of a part of the dataset, as far as they exist there.",
})(Object.fromEntries(figureMembers));

function figuresOf({ figures }: Headline): FiguresOfPart {
  const there = figures.filter(({ value, count }) => count > 0 || !Number.isNaN(value));
  return new Map(there.map((figure) => [figure.name, figure]));
}

/** The figures of each part of a kind, by the part's name. */
function partsOf(headlines: readonly Headline[], kind: "template" | "coin" | "family") {
  const parts = headlines.filter(({ scope }) => scope === kind);
  return Object.fromEntries(parts.map((part) => [part[kind], figuresOf(part)]));
}

interface Choices extends Pick<DatasetTables, "headlines" | "robustness"> {
  /** Undefined without a filter, null when nothing matches. */
  readonly matching?: Headline | null;
}

const NONE: FiguresOfPart = new Map();

export const DatasetHeadline = record<Choices>()({
  overall: object(DatasetFigures)("", ({ headlines }) => {
    const all = headlines.find(({ scope }) => scope === "all");
    return all === undefined ? NONE : figuresOf(all);
  }),
  by_template: map(DatasetFigures)("", ({ headlines }) => partsOf(headlines, "template")),
  by_coin: map(DatasetFigures)("", ({ headlines }) => partsOf(headlines, "coin")),
  by_family: map(DatasetFigures)("", ({ headlines }) => partsOf(headlines, "family")),
  robustness: map(RobustnessCheck).orNull(
    "what a pick was worth beside the other runs of its cell, by check; `split_70` is the dataset itself. " +
      "null when the snapshot was made without it",
    ({ robustness }) =>
      robustness.length === 0
        ? null
        : Object.fromEntries(robustness.map((row) => [String(row["check"]), cellsOf(row)])),
  ),
  matching: {
    ...object(DatasetFigures).orNull(
      "over the picks that match the filters; absent without one, null when none match",
      ({ matching }: Choices) => matching && figuresOf(matching),
    ),
    isOptional: true,
  },
});

const DatasetPart = facts()({
  share: number("share of each run's days"),
  start: date.orNull("earliest first day over the coins"),
  end: date.orNull("latest last day over the coins"),
});

type Whole = Pick<DatasetTables, "about" | "picks"> & { readonly note: string | null };

export const DatasetAbout = record<Whole>()({
  version: text("YYYY-MM; it does not change until the next month", ({ about }) => about.version),
  as_of: date("last day used", ({ about }) => about.asOf),
  runs_total: int("templates x coins x variants", ({ about }) => about.runs),
  templates: int("", ({ about }) => about.templates),
  coins: int("", ({ about }) => about.coins),
  variants: int("", ({ about }) => about.variants),
  in_sample: object(DatasetPart)("", ({ picks }) => partOf(0.7, picks, "in_sample")),
  out_of_sample: object(DatasetPart)("", ({ picks }) => partOf(0.3, picks, "out_of_sample")),
  note: text.orNull("set when the board has too few coins for all 11,440 runs"),
});

/** A segment from the earliest first day to the latest last day of the picks. */
function partOf(
  share: number,
  picks: readonly Row[],
  segment: string,
): FactsOf<typeof DatasetPart> {
  const days = (edge: string) => picks.map((pick) => Number(pick[`${segment}_${edge}`]));
  if (picks.length === 0) return { share, start: null, end: null };
  return { share, start: Math.min(...days("start")), end: Math.max(...days("end")) };
}

const DatasetFilters = facts()({
  template: text.orNull(),
  coin: text.orNull(),
  note: text.orNull("why nothing matches, when nothing does"),
});

/** `about`, `headline` and `picks` are JSON already, because all answers share them. */
interface Found extends Attributed {
  readonly about: Json<typeof DatasetAbout>;
  readonly headline: Json<typeof DatasetHeadline>;
  readonly filters: FactsOf<typeof DatasetFilters>;
  readonly picksTotal: number;
  readonly picks: readonly DatasetPick[];
}

/** `GET /dataset` */
export const Dataset = record<Found>()({
  attribution,
  dataset: written(DatasetAbout)("", ({ about }) => about),
  headline: written(DatasetHeadline)(),
  filters: object(DatasetFilters)(),
  picks_total: int("picks of the whole dataset"),
  picks_matching: int("picks of this answer", ({ picks }) => picks.length),
  picks: writtenList(DatasetPick)("coins in board order, templates in the catalogue's"),
});

export type Dataset = Json<typeof Dataset>;
export type DatasetFigure = Json<typeof DatasetFigure>;
export type DatasetFigures = Json<typeof DatasetFigures>;
