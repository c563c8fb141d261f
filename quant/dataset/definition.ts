import { DEFAULT_COSTS } from "../engine/costs.ts";
import type { Costs } from "../engine/costs.ts";
import type { Window } from "../engine/simulate.ts";
import { CATALOGUE, VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";

/**
 * What the curve-fitting dataset is: 22 templates x 40 coins x 13 variants, each coin's history
 * behind the warm-up cut once into in-sample and out-of-sample days. All of it is fixed in advance;
 * nothing here is chosen by what it does to the figures.
 */
export const DATASET_COINS_MAX = 40;
/** Days a coin needs behind the warm-up to be in it. */
export const DATASET_DAYS_MIN = 730;
/** Blocks the whole run is cut into for the probability of backtest overfitting: 12,870 splits. */
export const DATASET_CSCV_BLOCKS = 16;
/** A set with fewer runs that ever traded has no probability of overfitting. */
export const CSCV_RUNS_MIN = 5;

export const RUNS_PER_COIN = CATALOGUE.length * VARIANTS_PER_TEMPLATE;
/** 11,440: the whole dataset. A board with fewer coins that are old enough makes a smaller one. */
export const DATASET_RUNS = RUNS_PER_COIN * DATASET_COINS_MAX;

/** What the sensitivity figures pay: both costs twice. */
export const DOUBLED_COSTS: Costs = {
  feeRate: 2 * DEFAULT_COSTS.feeRate,
  slippageRate: 2 * DEFAULT_COSTS.slippageRate,
};

/**
 * Raised when the same prices would give other figures: the engine's fill rule, a template's rule, a
 * definition in this folder. A snapshot carries a dataset over only from one of the same method.
 * 2: no indicator has a threshold in dollars.
 */
export const DATASET_METHOD = 2;

/** The rows a dataset run trades, of a history that ends with the dataset: all behind the warm-up. */
export function datasetWindow(rows: number): Window {
  return { from: WARM_UP_DAYS, to: rows };
}

/** In-sample days of a run: the first 70 %, rounded down. Integers only, so no rounding decides. */
export function inSampleDays(days: number): number {
  return Math.floor((days * 7) / 10);
}
