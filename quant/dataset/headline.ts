import type { Family } from "../strategies/template.ts";
import { choiceFigures, choiceOf, doubledChoiceOf } from "./choice-figures.ts";
import type { Choice } from "./choice-figures.ts";
import type { Figure } from "./figure.ts";
import { luckFigures, luckyChances } from "./luck-figures.ts";
import { persistenceFigures } from "./persistence-figures.ts";
import { picksOf } from "./pick.ts";
import type { PickRecord, TrialScope } from "./pick.ts";
import type { CellRecord, CoinRecord } from "./record.ts";

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
  readonly choice: Choice;
  readonly doubledChoice: Choice;
}

/**
 * The figures of the whole dataset, of each template, coin and family, and of each template on each
 * coin, so that every filter of a reader is answered from here.
 */
export function headlinesOf(coins: readonly CoinRecord[], picks = picksOf(coins)): Headline[] {
  const placed = coins.flatMap((coin) =>
    coin.cells.map((cell) => ({
      coin,
      cell,
      choice: choiceOf(coin, cell),
      doubledChoice: doubledChoiceOf(coin, cell),
    })),
  );
  const pickOfCell = new Map(picks.map((pick) => [pick.cell, pick]));
  const chances = luckyChances(placed.reduce((runs, { cell }) => runs + cell.runs.length, 0));
  const headline = (
    scope: HeadlineScope,
    names: Partial<Pick<Headline, "template" | "coin" | "family">>,
    within: readonly PlacedCell[],
  ): Headline => {
    const figures = figuresOf(within, {
      coins: names.template === undefined && names.family === undefined ? coinsOf(within) : [],
      picks: within.flatMap(({ cell }) => pickOfCell.get(cell) ?? []),
      chances,
    });
    return { scope, template: "", coin: "", family: "", ...names, figures };
  };
  const distinct = <T>(name: (placed: PlacedCell) => T) => [...new Set(placed.map(name))];
  return [
    headline("all", {}, placed),
    ...distinct(({ cell }) => cell.template).map((template) =>
      headline(
        "template",
        { template },
        placed.filter(({ cell }) => cell.template === template),
      ),
    ),
    ...coins.map((coin) =>
      headline(
        "coin",
        { coin: coin.coin },
        placed.filter((of) => of.coin === coin),
      ),
    ),
    ...distinct(({ cell }) => cell.family as Family).map((family) =>
      headline(
        "family",
        { family },
        placed.filter(({ cell }) => cell.family === family),
      ),
    ),
    ...placed.map((one) =>
      headline("cell", { template: one.cell.template, coin: one.coin.coin }, [one]),
    ),
  ];
}

/** Figures of all of a coin's runs as one set exist only where all of them are in the scope. */
function figuresOf(
  placed: readonly PlacedCell[],
  of: {
    coins: readonly CoinRecord[];
    picks: readonly PickRecord[];
    chances: Readonly<Record<TrialScope, number>>;
  },
): Figure[] {
  const cells = placed.map(({ cell }) => cell);
  return [
    ...choiceFigures(placed.map(({ choice }) => choice)),
    ...persistenceFigures(cells, of.coins),
    ...luckFigures({ cells, coins: of.coins }, of.picks, of.chances),
    ...choiceFigures(
      placed.map(({ doubledChoice }) => doubledChoice),
      "_double_costs",
    ),
  ];
}

function coinsOf(placed: readonly PlacedCell[]): CoinRecord[] {
  return [...new Set(placed.map(({ coin }) => coin))];
}
