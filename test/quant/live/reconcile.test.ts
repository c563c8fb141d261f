import {
  array,
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  property,
  record,
} from "fast-check";
import { expect, test } from "vitest";
import type { Ledger, LedgerTrade } from "../../../quant/check/trade.ts";
import { reconcileTrades, type TradesReconciled } from "../../../quant/live/reconcile.ts";
import { differenceSentence, tradeNotes } from "../../../quant/live/reconcile-words.ts";

const BEGIN = 1_735_689_600; // 1 January 2025
const HOUR = 3600;

/** Trades of any kind: repeated seconds, odd sizes and prices, profits that prices don't explain. */
const trade = record({
  entry: integer({ min: 0, max: 400 }),
  length: integer({ min: 0, max: 40 }),
  symbol: constantFrom("BTC/USD", "ETH/USD", "SOL/USD"),
  long: boolean(),
  size: constantFrom(1e-8, 0.1, 1, 1e6, 1e12, 0, NaN),
  entryPrice: double({ min: 1e-9, max: 1e5, noNaN: true }),
  move: double({ min: -0.3, max: 0.3, noNaN: true }),
  fee: double({ min: 0, max: 3, noNaN: true }),
  funding: double({ min: -3, max: 3, noNaN: true }),
  noise: double({ min: -1, max: 1, noNaN: true }),
  late: integer({ min: 0, max: 3 }),
  isKept: boolean(),
});
type Drawn = ReturnType<typeof trade.generate>["value"];

function madeFrom(drawn: readonly Drawn[], shift: (of: Drawn) => number): Ledger {
  const trades = drawn.map((of, line): LedgerTrade => {
    const entry = BEGIN + (of.entry + shift(of)) * HOUR;
    const exitPrice = of.entryPrice * (1 + of.move);
    const size = of.size * of.entryPrice > 1e5 ? 100 / of.entryPrice : of.size;
    const gross = (of.long ? 1 : -1) * size * (exitPrice - of.entryPrice);
    const profit = (Number.isFinite(gross) ? Math.max(-50, gross) : of.noise) - of.fee - of.funding;
    const exit = entry + of.length * HOUR;
    return { ...of, variant: "x", line, entry, exit, size, exitPrice, profit };
  });
  return { trades, capital: 1e6 };
}

function found(backtest: Ledger, live: Ledger): TradesReconciled {
  const result = reconcileTrades(backtest, live);
  if (result.reason !== undefined) throw new Error(result.reason);
  return result;
}

const pairs = array(trade, { minLength: 12, maxLength: 60 }).map((drawn) => {
  const kept = drawn.filter(({ isKept }, at) => isKept || at < 6);
  return [madeFrom(drawn, () => 0), madeFrom(kept, ({ late }) => late)] as const;
});

test("the causes add up to the difference, whatever the trades are", () => {
  assert(
    property(pairs, ([backtest, live]) => {
      const result = reconcileTrades(backtest, live);
      if (result.reason !== undefined) return;
      const { causes, livePoints, backtestPoints } = result;
      const points = causes.map((cause) => cause.points);
      const [sum, size] = [points, points.map(Math.abs)].map((all) =>
        all.reduce((a, b) => a + b, 0),
      );
      expect(Math.abs(sum! - (livePoints - backtestPoints))).toBeLessThanOrEqual(
        1e-9 * Math.max(1, size!),
      );
      const rows = result.rows.reduce((all, row) => all + row.points, 0);
      expect(Math.abs(rows - sum!)).toBeLessThanOrEqual(1e-9 * Math.max(1, size!));
      expect(differenceSentence(result)).toMatch(/\.$/);
      expect(tradeNotes(result).every(({ message }) => !message.includes("NaN"))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("the order of rows changes nothing", () => {
  assert(
    property(pairs, ([backtest, live]) => {
      const turned = (of: Ledger) => ({ ...of, trades: of.trades.toReversed() });
      const [one, other] = [
        reconcileTrades(backtest, live),
        reconcileTrades(turned(backtest), turned(live)),
      ];
      expect(other.reason).toBe(one.reason);
      if (one.reason !== undefined || other.reason !== undefined) return;
      expect(other.pairs).toBe(one.pairs);
      expect(other.livePoints - one.livePoints).toBeCloseTo(0, 9);
      expect(other.backtestPoints - one.backtestPoints).toBeCloseTo(0, 9);
    }),
    { numRuns: 200 },
  );
});

/** A backtest of 60 trades and a live record that skips every fifth. */
function plain(edit: (of: LedgerTrade, at: number) => Partial<LedgerTrade> = () => ({})) {
  const trades = Array.from({ length: 60 }, (_, at): LedgerTrade => {
    const [entryPrice, move] = [100 + at, ((at * 7919) % 100) / 50 - 0.99];
    const entry = BEGIN + (12 * at + ((5 * at) % 7)) * HOUR;
    const of = {
      variant: "x",
      line: at,
      symbol: "BTC/USD",
      long: true,
      size: 10,
      fee: 1,
      funding: 0,
    };
    const exitPrice = entryPrice + move;
    return { ...of, entry, exit: entry + 5 * HOUR, entryPrice, exitPrice, profit: 10 * move - 1 };
  });
  const kept = trades.filter((_, at) => at % 5 !== 2);
  const live = kept.map((of, at) => ({ ...of, entry: of.entry + 10, ...edit(of, at) }));
  return [
    { trades, capital: 10_000 },
    { trades: live, capital: 10_000 },
  ] as const;
}

const pointsOf = (of: TradesReconciled) =>
  Object.fromEntries(of.causes.map(({ cause, points }) => [cause, points]));

test("exchanged lists turn the difference, and missing trades into extra ones", () => {
  const [backtest, live] = plain();
  const [there, back] = [found(backtest, live), found(live, backtest)];
  expect(back.livePoints - back.backtestPoints).toBeCloseTo(
    there.backtestPoints - there.livePoints,
    9,
  );
  expect(pointsOf(back)["extra"]).toBeCloseTo(-pointsOf(there)["missing"]!, 9);
});

test("accounts a thousand times as large change nothing, and clocks a day later change dates only", () => {
  const [backtest, live] = plain();
  const money = (of: Ledger) => ({
    capital: 1000 * of.capital,
    trades: of.trades.map((each) => {
      return { ...each, size: 1000 * each.size, fee: 1000 * each.fee, profit: 1000 * each.profit };
    }),
  });
  const later = (of: Ledger) => ({
    ...of,
    trades: of.trades.map((each) => {
      return { ...each, entry: each.entry + 24 * HOUR, exit: each.exit + 24 * HOUR };
    }),
  });
  const once = found(backtest, live);
  for (const change of [money, later]) {
    const other = found(change(backtest), change(live));
    for (const [cause, points] of Object.entries(pointsOf(once)))
      expect(pointsOf(other)[cause], `of ${cause}`).toBeCloseTo(points, 9);
    expect(differenceSentence(other)).toBe(differenceSentence(once));
  }
});

test("a clock of labels is corrected, and entries that are really late are not", () => {
  const [backtest, shifted] = plain((of) => ({
    entry: of.entry + 2 * HOUR,
    exit: of.exit + 2 * HOUR,
  }));
  expect(found(backtest, shifted)).toMatchObject({ clockSeconds: 2 * HOUR, pairs: 48 });
  const [, late] = plain((of) => ({
    entry: of.entry + 2 * HOUR,
    entryPrice: of.entryPrice + 0.4,
    profit: of.profit - 4,
  }));
  const result = found(backtest, late);
  expect(result.clockSeconds).toBe(0);
  expect(result.causes.find(({ cause }) => cause === "entry_time")?.count).toBe(48);
});

const notesOf = (edit?: Parameters<typeof plain>[0]) =>
  tradeNotes(found(...plain(edit))).map(({ code }) => code);

test("notes say what coincided, and nothing where nothing did", () => {
  expect(notesOf()).toEqual([]);
  const [backtest, live] = plain();
  const gone = live.trades.filter((_, at) => at < 20 || at > 27);
  const down = tradeNotes(found(backtest, { ...live, trades: gone }));
  expect(down.find(({ code }) => code === "down")?.message).toMatch(
    /^\d+ trades in a row are missing, from 2025-01-1\d to 2025-01-1\d$/,
  );
  const early = found(backtest, { ...live, trades: live.trades.slice(0, 30) });
  expect(tradeNotes(early).map(({ code }) => code)).toEqual(["live_ends_early"]);
  const odd = backtest.trades.map((of, at) => ({
    ...of,
    entry: of.entry + at * 37,
    exit: of.exit + at * 37,
  }));
  const unknown = found({ ...backtest, trades: odd }, { ...live, trades: odd });
  expect(tradeNotes(unknown).map(({ code }) => code)).toContain("bar_unknown");
});

test("a limit on positions is noted where live held its most when it missed", () => {
  const [backtest] = plain();
  const overlapping = backtest.trades.map((of) => ({ ...of, exit: of.entry + 20 * HOUR }));
  const live = overlapping.filter((_, at) => at % 2 === 0);
  const notes = tradeNotes(
    found({ ...backtest, trades: overlapping }, { ...backtest, trades: live }),
  );
  expect(notes.find(({ code }) => code === "slots_full")?.message).toMatch(
    /^\d+ of the \d+ trades that live missed came while it held 1 position, the most it ever held$/,
  );
});

test("lists that hardly match are another program, and no cause is named", () => {
  const [backtest] = plain();
  const other = backtest.trades.map((of, at) => {
    const shift = at % 4 === 0 ? 0 : 5.6 * HOUR + at * 61;
    return { ...of, entry: of.entry + shift, exit: of.exit + shift };
  });
  const live = { ...backtest, trades: other };
  expect(differenceSentence(found(backtest, live))).toMatch(
    /^It is not the same program: \d+ of \d+ trades match\.$/,
  );
});

test("fewer than five trades of either list are too few", () => {
  const [backtest, live] = plain();
  const few = { ...live, trades: live.trades.slice(0, 4) };
  expect(reconcileTrades(backtest, few)).toEqual({ reason: "few_trades" });
});
