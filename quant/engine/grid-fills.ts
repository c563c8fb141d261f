import type { Bars } from "../bars.ts";
import { createMarket } from "../strategies/market.ts";
import type { Template } from "../strategies/template.ts";
import { createRunBuffer, findFills, type RunBuffer, type Window } from "./simulate.ts";

/**
 * When each run of a grid trades. This is all that its rules decide, at a hundredth of the size of the returns.
 * Computing the rules is most of a grid's work, so a caller that runs the same grid again keeps the fills. They are in
 * shared memory, so that other threads can read them.
 */
export interface GridFills {
  /** The runs' fills one after the other, as in `RunBuffer`. */
  readonly fills: Int32Array;
  /** Where the fills of each run begin in `fills`, followed by where the last run's end. */
  readonly begins: Int32Array;
  /** Number of closes at which each run holds a position. */
  readonly positionDays: Int32Array;
}

/** Computes the rules of every variant of the templates over a window of a history. */
export function gridFills(bars: Bars, window: Window, templates: readonly Template[]): GridFills {
  const market = createMarket(bars);
  const flags = new Uint8Array(bars.day.length);
  const run = createRunBuffer(window.to - window.from, new Float64Array());
  const found: Int32Array[] = [];
  const positionDays: number[] = [];
  for (const template of templates) {
    for (const params of template.variants) {
      template.rules(market, params, flags);
      findFills(flags, window, run);
      found.push(run.fills.slice(0, run.fillCount));
      positionDays.push(run.positionDays);
    }
  }
  return joined(found, positionDays);
}

function joined(found: readonly Int32Array[], positionDays: readonly number[]): GridFills {
  const fills = sharedIntegers(found.reduce((count, some) => count + some.length, 0));
  const begins = sharedIntegers(found.length + 1);
  for (const [run, some] of found.entries()) {
    fills.set(some, begins[run]!); // written in the previous turn
    begins[run + 1] = begins[run]! + some.length;
  }
  const days = sharedIntegers(positionDays.length);
  days.set(positionDays);
  return { fills, begins, positionDays: days };
}

/** In plain memory where there is no shared one, as on most pages in a browser. */
function sharedIntegers(length: number): Int32Array {
  const bytes = length * Int32Array.BYTES_PER_ELEMENT;
  return new Int32Array(
    typeof SharedArrayBuffer === "undefined"
      ? new ArrayBuffer(bytes)
      : new SharedArrayBuffer(bytes),
  );
}

/** Copies one run's fills into a buffer, as if its rules had just been computed. */
export function takeFills({ fills, begins, positionDays }: GridFills, run: number, out: RunBuffer) {
  const begin = begins[run]!; // `run` is one of the grid's
  const end = begins[run + 1]!;
  out.fills.set(fills.subarray(begin, end));
  out.fillCount = end - begin;
  out.positionDays = positionDays[run]!;
}
