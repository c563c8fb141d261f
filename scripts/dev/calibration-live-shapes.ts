import { coinShapes } from "./calibration-coins.ts";
import {
  DEVIATION,
  filled,
  normal,
  rareLosses,
  SHAPES,
  shapesOf,
  type DrawColumn,
  type Shape,
} from "./calibration-shapes.ts";

/** A shape of backtests, and how its size changes when it is live. */
export interface LiveShape extends Shape {
  /** The factor on the live return of a day. */
  readonly sizeAt?: (day: number) => number;
  /** Whether a live record continues the days of its backtest, because days of one market cannot be drawn apart. */
  readonly goesOn?: boolean;
}

const HALF_YEAR = 182;
const MONTH = 21;

/** Shapes of the check that are left out, because others cover them or their variants differ. */
const LEFT_OUT = /wins|overlapping (?:15|30)|holding/;

/** Positions of another size each month. */
const monthly: DrawColumn = (bars, random) => {
  let size = 1;
  return filled(bars, (row) => {
    if (row % MONTH === 0) size = Math.exp(normal(random) / 2);
    return DEVIATION * size * normal(random);
  });
};

/** The shapes of live records. The live verdict must keep its bound on all of them but EGARCH. */
export function liveShapesWith(prices: string | undefined): readonly LiveShape[] {
  const usual = SHAPES.filter(({ name }) => !LEFT_OUT.test(name)).map((shape): LiveShape => {
    const isHeld = !shape.name.startsWith("EGARCH");
    return { ...shape, kind: isHeld ? "controlled" : "not controlled" };
  });
  const plain = usual.find(({ name }) => name === "normal")!; // it is the first of them
  const resized = (name: string, sizeAt: (day: number) => number) => ({ ...plain, name, sizeAt });
  const coins = prices === undefined ? [] : coinShapes(prices);
  return [
    ...usual,
    ...shapesOf("controlled", {
      "rebalanced monthly": monthly,
      "95 % wins": rareLosses(0.95),
      "98 % wins": rareLosses(0.98),
    }),
    resized("live at twice the size", () => 2),
    resized("live at half the size", () => 0.5),
    resized("doubled every other half-year", (day) => 1 + (Math.floor(day / HALF_YEAR) % 2)),
    ...coins.slice(0, 1).map((shape) => ({ ...shape, goesOn: true })),
  ];
}
