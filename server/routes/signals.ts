import { z } from "zod";
import { Reading, Signals } from "../../api/reading.ts";
import { tableOf } from "../../api/table.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { readingAt } from "../../quant/signals/reading.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { coinOf, dayWithin, type History } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf, type SnapshotData } from "./snapshot-data.ts";
import { coin, date } from "./parameters.ts";

const DATE = { name: "date", code: "invalid_parameter" } as const;

/** GET /signals?coin=&date= */
export const signals = readEndpoint({
  path: "/signals",
  operationId: "getSignals",
  tag: "Market",
  summary: "Daily indicator readings and the technical rating of one coin, or of the whole board",
  description:
    "With `coin` the answer is one reading, `signal`; without it, the readings of all coins in board order, `board`. Without `date` a reading is of " +
    "the coin's own last complete day. With `date` it is as it stood at that day's close, and nothing later enters it: on the board, a coin without that day " +
    "keeps its place, with nulls; for a single coin, such a date is refused.",
  query: z.strictObject({
    coin: coin("ticker of a coin on the board; without it, the whole board").optional(),
    date: date({
      description: "a past UTC day of the coin's history, or of the board's",
      example: "2024-12-31",
    }).optional(),
  }),
  data: Signals,
  rows: ({ signal, board = [] }) =>
    signal === undefined ? tableOf("board", Reading, board) : tableOf("signal", Reading, [signal]),
  examples: {
    Bitcoin: { coin: "btc" },
    "Bitcoin on a past day": { coin: "btc", date: "2024-12-31" },
    "the whole board": {},
  },
  resolve(snapshot, { coin: ticker, date: day }) {
    if (ticker === undefined) {
      if (day !== undefined) dayWithin(historyOfBoard(snapshot), DATE, day);
      return { coin: undefined, date: day };
    }
    const found = coinOf(snapshot, ticker);
    if (day !== undefined) dayWithin(found, DATE, day);
    return { coin: ticker, date: day ?? dateOfDay(found.lastDay) };
  },
  answer(snapshot, { coin: ticker, date: day }) {
    if (ticker === undefined) {
      return {
        origin: originOf(snapshot),
        lastDay: snapshot.manifest.asOf,
        board: snapshot.coins.map((each) => readingOf(snapshot, each, day)),
      };
    }
    const found = coinOf(snapshot, ticker);
    return {
      origin: originOf(snapshot, found),
      lastDay: found.lastDay,
      signal: readingOf(snapshot, found, day),
    };
  },
});

/** The reading of a coin on a day, by default its last. There is none on a day that the coin does not have. */
function readingOf(snapshot: SnapshotData, coin: SnapshotCoin, given?: string) {
  const { ticker, name, stale, firstDay, lastDay } = coin;
  const bars = snapshot.bars(ticker);
  const columns = snapshot.indicators(ticker);
  if (bars === undefined || columns === undefined) throw new Error(`no tables of ${ticker}`);
  const day = (given === undefined ? undefined : dayOfDate(given)) ?? lastDay;
  const isKnown = day >= firstDay && day <= lastDay;
  const reading = isKnown ? readingAt(bars, columns, day - firstDay) : undefined;
  return { coin: ticker, name, stale, reading };
}

function historyOfBoard({ coins, manifest: { asOf } }: SnapshotData): History {
  return { firstDay: Math.min(asOf, ...coins.map((each) => each.firstDay)), lastDay: asOf };
}
