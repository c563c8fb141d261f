import { DEFAULT_COSTS, type Costs } from "../engine/costs.ts";
import type { Window } from "../engine/simulate.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";

/**
 * Definition of the curve-fitting dataset: 22 templates x 40 coins x 13 variants, with each coin's history
 * after the warm-up split once into in-sample and out-of-sample days. All of it is fixed in advance;
 * nothing was chosen for its effect on the figures.
 */
export const DATASET_COINS_MAX = 40;
/** Days after the warm-up that a coin needs to take part. */
export const DATASET_DAYS_MIN = 730;
/** Blocks that the whole run is cut into for the probability of backtest overfitting: 12,870 splits. */
export const DATASET_CSCV_BLOCKS = 16;
/** With fewer runs that ever traded, a set has no probability of overfitting. */
export const CSCV_RUNS_MIN = 5;

export const RUNS_PER_COIN = STUDIED.length * VARIANTS_PER_TEMPLATE;
/** 11,440, the whole dataset. A board with fewer coins of sufficient age gives a smaller one. */
export const DATASET_RUNS = RUNS_PER_COIN * DATASET_COINS_MAX;

/** The costs behind the sensitivity figures: fee and slippage doubled. */
export const DOUBLED_COSTS: Costs = {
  feeRate: 2 * DEFAULT_COSTS.feeRate,
  slippageRate: 2 * DEFAULT_COSTS.slippageRate,
};

/**
 * Raise this when the same prices would give other figures: after a change to the engine's fill rule, a
 * template's rule or a definition in this folder. A snapshot takes over a dataset only from one with the
 * same method. 2: no indicator has a threshold in dollars.
 */
export const DATASET_METHOD = 4;

/** The rows that a run trades, in a history that ends with the dataset: everything after the warm-up. */
export function datasetWindow(rows: number): Window {
  return { from: WARM_UP_DAYS, to: rows };
}

/**
 * In-sample days of a run: the first 70 %, rounded down. Integer arithmetic, so that float64 rounding
 * cannot decide.
 */
export function inSampleDays(days: number): number {
  return Math.floor((days * 7) / 10);
}
