import type { Family } from "../strategies/template.ts";
import { choiceFigures, choicesOf, doubledChoicesOf } from "./choice-figures.ts";
import type { Choices } from "./choice-figures.ts";
import type { Figure } from "./figure.ts";
import { luckFigures, luckyChances } from "./luck-figures.ts";
import { persistenceFigures, rankingOf } from "./persistence-figures.ts";
import type { Ranking } from "./persistence-figures.ts";
import { picksOf } from "./pick.ts";
import type { PickRecord, TrialScope } from "./pick.ts";
import type { CellRecord, CoinRecord } from "./record.ts";
import { cellRunColumns, runsOfCells } from "./run-columns.ts";
import type { CellRunColumns } from "./run-columns.ts";

/** What a headline is over; `cell` is one template on one coin. */
export type HeadlineScope = "all" | "template" | "coin" | "family" | "cell";

/** The figures of one part of the dataset. */
export interface Headline {
  readonly scope: HeadlineScope;
  /** Empty for `all`; of a cell both names are given. */
  readonly template: string;
  readonly coin: string;
  readonly family: string;
  readonly figures: readonly Figure[];
}

/** A cell with the coin it is on: what the figures are taken over. */
interface PlacedCell {
  readonly coin: CoinRecord;
  readonly cell: CellRecord;
}

/** What every cell answers, asked once. */
interface Answers {
  readonly cells: readonly PlacedCell[];
  readonly choices: Choices;
  readonly doubledChoices: Choices;
  readonly runs: CellRunColumns;
  readonly pickedRuns: CellRunColumns;
  readonly rankings: readonly Ranking[];
  readonly picks: ReadonlyMap<CellRecord, PickRecord>;
  readonly chances: Readonly<Record<TrialScope, number>>;
}

/**
 * The figures of the whole dataset, of each template, coin and family, and of each template on each
 * coin, so that every filter of a reader is answered from here.
 */
export function headlinesOf(coins: readonly CoinRecord[], picks = picksOf(coins)): Headline[] {
  const cells = coins.flatMap((coin) => coin.cells.map((cell) => ({ coin, cell })));
  const answers = answersOf(cells, picks);
  const headline = (
    scope: HeadlineScope,
    names: Partial<Pick<Headline, "template" | "coin" | "family">>,
    isWithin: (placed: PlacedCell) => boolean,
  ): Headline => {
    const places = [...cells.keys()].filter((place) => isWithin(cells[place]!)); // its own keys
    return {
      scope,
      template: "",
      coin: "",
      family: "",
      ...names,
      figures: figuresOf(answers, places, names),
    };
  };
  const distinct = <T>(name: (placed: PlacedCell) => T) => [...new Set(cells.map(name))];
  return [
    headline("all", {}, () => true),
    ...distinct(({ cell }) => cell.template).map((template) =>
      headline("template", { template }, ({ cell }) => cell.template === template),
    ),
    ...coins.map((coin) => headline("coin", { coin: coin.coin }, (of) => of.coin === coin)),
    ...distinct(({ cell }) => cell.family as Family).map((family) =>
      headline("family", { family }, ({ cell }) => cell.family === family),
    ),
    ...cells.map(({ coin, cell }, place): Headline => {
      const names = { template: cell.template, coin: coin.coin };
      return { scope: "cell", family: "", ...names, figures: figuresOf(answers, [place], names) };
    }),
  ];
}

function answersOf(cells: readonly PlacedCell[], picks: readonly PickRecord[]): Answers {
  const runsOf = ({ cell }: PlacedCell) => cell.runs;
  return {
    cells,
    choices: choicesOf(cells),
    doubledChoices: doubledChoicesOf(cells),
    runs: cellRunColumns(cells.map(runsOf)),
    pickedRuns: cellRunColumns(
      cells.map(({ cell }) => cell.runs.slice(cell.pick, cell.pick + 1)), // none at -1
    ),
    rankings: cells.map(({ cell }) => rankingOf(cell)),
    picks: new Map(picks.map((pick) => [pick.cell, pick])),
    chances: luckyChances(cells.reduce((runs, placed) => runs + runsOf(placed).length, 0)),
  };
}

/** Figures of all of a coin's runs as one set exist only where all of them are in the scope. */
function figuresOf(
  answers: Answers,
  places: readonly number[],
  { template, family }: { template?: string; family?: string },
): Figure[] {
  const placed = places.map((place) => answers.cells[place]!); // places are of the cells
  const isWhole = template === undefined && family === undefined;
  const coins = isWhole ? [...new Set(placed.map(({ coin }) => coin))] : [];
  const cells = placed.map(({ cell }) => cell);
  const runs = runsOfCells(answers.runs, places);
  return [
    ...choiceFigures(answers.choices, places),
    ...persistenceFigures({
      cells,
      coins,
      runs,
      rankings: places.map((place) => answers.rankings[place]!),
      picks: runsOfCells(answers.pickedRuns, places),
    }),
    ...luckFigures(
      { cells, coins, runs },
      cells.flatMap((cell) => answers.picks.get(cell) ?? []),
      answers.chances,
    ),
    ...choiceFigures(answers.doubledChoices, places, "_double_costs"),
  ];
}
