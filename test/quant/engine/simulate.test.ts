import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_COSTS, NO_COSTS } from "../../../quant/engine/costs.ts";
import { dayReturns } from "../../../quant/engine/day-returns.ts";
import { assertWindow, createRunBuffer, simulate } from "../../../quant/engine/simulate.ts";
import type { RunBuffer } from "../../../quant/engine/simulate.ts";
import { barsOf, flagsOfLetters } from "../../support/engine-bars.ts";
import { keepLedger } from "../../support/engine-ledger.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const DAYS = 60;
const BARS = madeUpBars({ seed: 5, days: DAYS });
const RETURNS = dayReturns(BARS, DEFAULT_COSTS);
const flagColumn = fc.uint8Array({ minLength: DAYS, maxLength: DAYS, max: 3 });

function run(flags: Uint8Array, from = 0, to = flags.length): RunBuffer {
  const out = createRunBuffer(to - from);
  simulate(flags, RETURNS, { from, to }, out);
  return out;
}

const fillsOf = (buffer: RunBuffer) => Array.from(buffer.fills.subarray(0, buffer.fillCount));

describe("simulate", () => {
  test("is the day-by-day ledger of cash and units", () => {
    fc.assert(
      fc.property(flagColumn, fc.nat(DAYS), fc.nat(DAYS), (flags, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const expected = keepLedger(flags, BARS, { from, to }, DEFAULT_COSTS);
        const got = run(flags, from, to);
        const fills = expected.trades.flatMap(({ entry, exit }) => [entry, exit]);
        expect(fillsOf(got)).toEqual(fills.filter((fill) => fill !== undefined));
        expected.returns.forEach((value, day) => expect(got.returns[day]).toBeCloseTo(value, 13));
      }),
    );
  });

  test.each([
    ["a decision is filled at the next open", "..E...X..", [3, 7]],
    ["the first decision is made on the start day", "E........", [1]],
    ["a decision on the last day is never filled", "........E", []],
    ["an exit decided on the last day is never filled", "..E.....X", [3]],
    ["a day that says both is no entry", "..B......", []],
    ["a day that says both is an exit", "E..B.....", [1, 4]],
    ["exit while flat and enter while long change nothing", "X.EEEE.X.X", [3, 8]],
    ["an exit can be decided on the day of the entry's fill", "E.EX.....", [1, 4]],
    ["a new entry can be decided on the day of the exit's fill", "E.XE.....", [1, 3, 4]],
    ["a one-day trade", "EX.......", [1, 2]],
  ])("%s", (_, letters, fills) => {
    expect(fillsOf(run(flagsOfLetters(letters)))).toEqual(fills);
  });

  test("inherits no signal from before the start day", () => {
    const flags = flagsOfLetters("EEEE....E..");
    expect(fillsOf(run(flags, 4))).toEqual([5]);
    expect(fillsOf(run(flags, 3))).toEqual([1]);
  });

  test("counts the closes with a position, including those of an open trade", () => {
    expect(run(flagsOfLetters("E..X..E...")).positionDays).toBe(3 + 3);
    expect(run(flagsOfLetters("..........")).positionDays).toBe(0);
  });

  test("overwrites whatever the buffer held", () => {
    const buffer = createRunBuffer(DAYS);
    simulate(new Uint8Array(DAYS).fill(1), RETURNS, { from: 0, to: DAYS }, buffer);
    simulate(new Uint8Array(DAYS), RETURNS, { from: 0, to: DAYS }, buffer);
    expect(buffer.returns).toEqual(new Float64Array(DAYS));
    expect([buffer.fillCount, buffer.positionDays]).toEqual([0, 0]);
  });

  test("is defined for windows of no and of one day", () => {
    expect(run(flagsOfLetters("EEE"), 1, 1).returns).toHaveLength(0);
    expect(Array.from(run(flagsOfLetters("EEE"), 1, 2).returns)).toEqual([0]);
    expect(fillsOf(run(flagsOfLetters("EEE"), 1, 3))).toEqual([1]);
  });

  test("flags of the last day and beyond the window decide nothing", () => {
    fc.assert(
      fc.property(flagColumn, flagColumn, fc.integer({ min: 1, max: DAYS }), (flags, other, to) => {
        const garbled = flags.slice();
        garbled.set(other.subarray(to - 1), to - 1);
        expect(run(garbled, 0, to)).toEqual(run(flags, 0, to));
      }),
    );
  });

  test("one more day of history in front shifts the fills of the whole run and changes no return", () => {
    const [open, close] = [
      [10, 11, 12, 9, 10, 13],
      [11, 12, 9, 10, 14, 12],
    ];
    const [shifted, plain] = [createRunBuffer(6), createRunBuffer(6)];
    const days = dayReturns(barsOf(open!, close!), NO_COSTS);
    simulate(flagsOfLetters("E.XE.."), days, { from: 0, to: 6 }, plain);
    const longer = dayReturns(barsOf([7, ...open!], [8, ...close!]), NO_COSTS);
    simulate(flagsOfLetters(".E.XE.."), longer, { from: 1, to: 7 }, shifted);
    expect(shifted).toEqual(plain);
  });

  test.each([
    [-1, 3],
    [2, 1],
    [0, 11],
    [0.5, 3],
    [0, 3.5],
  ])("refuses the window %d..%d of ten rows", (from, to) => {
    expect(() => assertWindow({ from, to }, 10)).toThrow(RangeError);
  });
});
