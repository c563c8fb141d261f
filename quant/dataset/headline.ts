import { answersOf, choiceFigures, doubledAnswersOf, type CellOfCoin } from "./choice-figures.ts";
import type { Figure } from "./figure.ts";
import { luckFigures, luckyChances } from "./luck-figures.ts";
import { persistenceFigures, rankingOf } from "./persistence-figures.ts";
import { picksOf, type PickRecord } from "./pick.ts";
import type { CoinRecord } from "./record.ts";
import { settingsFigures, varianceFigures } from "./source-figures.ts";
import { runColumns } from "./run-columns.ts";

/** What a headline covers; `cell` is one template on one coin. */
export type HeadlineScope = "all" | "template" | "coin" | "family" | "cell";

/** The figures of one part of the dataset. */
export interface Headline {
  readonly scope: HeadlineScope;
  /** Both empty for `all`, both set for a cell. */
  readonly template: string;
  readonly coin: string;
  readonly family: string;
  readonly figures: readonly Figure[];
}

/**
 * The figures of the whole dataset, of each template, coin and family, and of each template on each coin.
 * Together they answer every filter a reader can set.
 */
export function headlinesOf(coins: readonly CoinRecord[], picks = picksOf(coins)): Headline[] {
  const cells = coins.flatMap((coin) => coin.cells.map((cell) => ({ coin, cell })));
  const answers = cellAnswersOf(cells, picks);
  const headline = (
    scope: HeadlineScope,
    names: Partial<Pick<Headline, "template" | "coin" | "family">>,
    isWithin: (placed: CellOfCoin) => boolean,
  ): Headline => {
    const places = [...cells.keys()].filter((index) => isWithin(cells[index]!)); // indices of `cells`
    return {
      scope,
      template: "",
      coin: "",
      family: "",
      ...names,
      figures: figuresOf(answers, places, names),
    };
  };
  const distinct = <T>(name: (placed: CellOfCoin) => T) => [...new Set(cells.map(name))];
  return [
    headline("all", {}, () => true),
    ...distinct(({ cell }) => cell.template).map((template) =>
      headline("template", { template }, ({ cell }) => cell.template === template),
    ),
    ...coins.map((coin) => headline("coin", { coin: coin.coin }, (cell) => cell.coin === coin)),
    ...distinct(({ cell }) => cell.family).map((family) =>
      headline("family", { family }, ({ cell }) => cell.family === family),
    ),
    ...cells.map(({ coin, cell }, index): Headline => {
      const names = { template: cell.template, coin: coin.coin };
      return { scope: "cell", family: "", ...names, figures: figuresOf(answers, [index], names) };
    }),
  ];
}

/** What the figures of any part are made from, computed once for every cell. */
function cellAnswersOf(cells: readonly CellOfCoin[], picks: readonly PickRecord[]) {
  return {
    cells,
    choices: cells.map(answersOf),
    doubledChoices: cells.map(doubledAnswersOf),
    rankings: cells.map(({ cell }) => rankingOf(cell)),
    picks: new Map(picks.map((pick) => [pick.cell, pick])),
    chances: luckyChances(cells.reduce((runs, placed) => runs + placed.cell.runs.length, 0)),
  };
}

/** Figures of all of a coin's runs as one set exist only in scopes that contain all of them. */
function figuresOf(
  answers: ReturnType<typeof cellAnswersOf>,
  places: readonly number[],
  { template, family, coin }: Partial<Pick<Headline, "template" | "coin" | "family">>,
): Figure[] {
  const at = <Each>(all: readonly Each[]) => places.map((index) => all[index]!); // indices of the cells
  const placed = at(answers.cells);
  const isWhole = template === undefined && family === undefined;
  const isAll = isWhole && coin === undefined;
  const coins = isWhole ? [...new Set(placed.map(({ coin }) => coin))] : [];
  const cells = placed.map(({ cell }) => cell);
  const runs = runColumns(cells.flatMap((cell) => cell.runs));
  const picked = cells.flatMap(({ runs, pick }) => runs.slice(pick, pick + 1)); // none where the pick is -1
  return [
    ...choiceFigures(at(answers.choices)),
    ...persistenceFigures({
      cells,
      coins,
      runs,
      rankings: at(answers.rankings),
      picks: runColumns(picked),
    }),
    ...settingsFigures(cells, isAll),
    ...varianceFigures(placed, isAll),
    ...luckFigures(
      { cells, coins, runs },
      cells.flatMap((cell) => answers.picks.get(cell) ?? []),
      answers.chances,
    ),
    ...choiceFigures(at(answers.doubledChoices), "_double_costs"),
  ];
}
