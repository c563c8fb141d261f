import type { RunBuffer, Window } from "./simulate.ts";

/**
 * Figures of a run, or of a slice of it, that follow from its fills and returns alone. They need no prices,
 * so a grid of thousands of runs has nothing else to keep. Slices count days from the run's start day.
 */

/** Trades bought within a slice. Counting purchases makes the parts of a run add up to the whole. */
export function tradesWithin(run: RunBuffer, slice: Window): number {
  let trades = 0;
  for (let index = 0; index < run.fillCount; index += 2) {
    const entry = run.fills[index]!;
    if (entry >= slice.from && entry < slice.to) trades++;
  }
  return trades;
}

/** Closes within a slice at which a position is held. */
export function positionDaysWithin(run: RunBuffer, slice: Window): number {
  let days = 0;
  for (let index = 0; index < run.fillCount; index += 2) {
    const entry = run.fills[index]!;
    const exit = index + 1 < run.fillCount ? run.fills[index + 1]! : slice.to;
    days += Math.max(0, Math.min(exit, slice.to) - Math.max(entry, slice.from));
  }
  return days;
}

/**
 * Fees paid by a run, as a fraction of its starting cash. Every fill trades the whole account, so a
 * purchase pays f / (1 + f) of the equity before it and a sale pays f / (1 - f) of the equity after it.
 */
export function feesPaid(run: RunBuffer, feeRate: number): number {
  const ofEntry = feeRate / (1 + feeRate);
  const ofExit = feeRate / (1 - feeRate);
  let fees = 0;
  let growth = 1;
  let row = 0;
  for (let index = 0; index < run.fillCount; index++) {
    const fill = run.fills[index]!;
    for (; row < fill; row++) growth *= 1 + run.returns[row]!;
    if (index % 2 === 0) {
      fees += growth * ofEntry;
    } else {
      growth *= 1 + run.returns[row++]!;
      fees += growth * ofExit;
    }
  }
  return fees;
}
