import type { Bars } from "../../quant/bars.ts";
import { lastCompleteMonth } from "../../quant/month.ts";
import { sliceBars } from "../../quant/bars.ts";
import type { StageInput, StageOutput, WholeTables } from "../../pipeline/stages/stage.ts";
import { priceBlock } from "../../snapshots/tables/prices.ts";
import type { Table, TableBlock } from "../../snapshots/tables/table.ts";
import { madeUpBars, withPrices } from "./made-up-bars.ts";

/** A coin's ticker and history. */
export type Market = Readonly<Record<string, Bars>>;

/** Coins of made-up prices from 2020-01-01, each listed a week after the one before. */
export function oldMarket(coins: number, days: number): Market {
  const entries = Array.from({ length: coins }, (_, index) => {
    const bars = madeUpBars({ seed: index + 1, days });
    return [`coin-${index}`, sliceBars(bars, 7 * index)] as const;
  });
  return Object.fromEntries(entries);
}

/** The market up to and including a day. */
export function cutMarket(market: Market, lastDay: number): Market {
  return mapBars(market, (bars) => sliceBars(bars, 0, lastDay - bars.day[0]! + 1));
}

/** The market with other prices after a day. */
export function garbledMarket(market: Market, lastDay: number): Market {
  return mapBars(market, (bars) => {
    const kept = lastDay - bars.day[0]! + 1;
    const garble = (column: Float64Array) =>
      column.map((value, row) => (row < kept ? value : value * (1.5 + Math.sin(row))));
    return { ...withPrices(bars, garble), volume: garble(bars.volume) };
  });
}

function mapBars(market: Market, change: (bars: Bars) => Bars): Market {
  return Object.fromEntries(Object.entries(market).map(([coin, bars]) => [coin, change(bars)]));
}

/** The input of a stage that reads prices and may keep tables. */
export function stageInput(
  market: Market,
  asOf: number,
  more: { published?: readonly WholeTables[]; month?: number; steps?: [number, number][] } = {},
): StageInput {
  const prices = Object.entries(cutMarket(market, asOf)).map(([coin, bars]) =>
    priceBlock(coin, bars, new Uint8Array(bars.day.length)),
  );
  return {
    asOf,
    month: more.month ?? lastCompleteMonth(asOf),
    coins: [],
    prices,
    published: async function* () {
      yield* more.published ?? [];
    },
    step: async (done, total) => void more.steps?.push([done, total]),
  };
}

/** All the tables that a stage makes. */
export async function wholeTables(output: StageOutput): Promise<WholeTables> {
  const whole = new Map<Table, readonly TableBlock[]>();
  for await (const [table, rows] of output) {
    whole.set(table, "blocks" in rows ? await listOf(rows.blocks) : rows);
  }
  return whole;
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
