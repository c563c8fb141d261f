import { z } from "zod";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import type { DayRange } from "./board.ts";
import { coinOf, dayWithin } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { coin, date } from "./parameters.ts";
import { Reading, renderReading } from "./reading.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** GET /signals?coin=&date= */
export const signals = readEndpoint({
  path: "/signals",
  operationId: "getSignals",
  summary: "Daily indicator readings and the technical rating of one coin, or of the whole board",
  description:
    "With `coin` the answer holds one reading as `signal`; without it, those of all coins in board order as `board`. Without `date` a reading is of " +
    "the coin's own last complete day; with it, as it stood at the close of that day, from nothing that came later. On the board of a `date` a coin without that day " +
    "keeps its place, with nulls; for a single coin such a date is refused.",
  query: z.strictObject({
    coin: coin("ticker of a coin of the board; without it, the whole board").optional(),
    date: date({
      description: "a past UTC day of the coin's history, or of the board's",
      example: "2024-12-31",
    }).optional(),
  }),
  data: z.strictObject({
    attribution: Attribution,
    as_of: z.iso
      .date()
      .meta({ description: "last complete UTC day: the coin's, or the snapshot's" }),
    signal: Reading.optional(),
    board: z.array(Reading).optional().meta({ description: "all coins, in board order" }),
  }),
  examples: {
    Bitcoin: { coin: "btc" },
    "Bitcoin on a past day": { coin: "btc", date: "2024-12-31" },
    "the whole board": {},
  },
  resolve(snapshot, { coin: ticker, date: day }) {
    if (ticker === undefined) {
      if (day !== undefined) dayWithin("date", day, boardRange(snapshot));
      return { date: day };
    }
    const found = coinOf(snapshot, ticker);
    if (day !== undefined) dayWithin("date", day, coinRange(found));
    return { coin: ticker, date: day ?? dateOfDay(found.lastDay) };
  },
  answer(snapshot, { coin: ticker, date: given }: Given) {
    const day = given === undefined ? undefined : dayOfDate(given);
    if (ticker !== undefined) {
      const found = coinOf(snapshot, ticker);
      return {
        attribution: attributionOf(snapshot, found),
        as_of: dateOfDay(found.lastDay),
        signal: renderReading(snapshot, found, day ?? found.lastDay),
      };
    }
    return {
      attribution: attributionOf(snapshot),
      as_of: dateOfDay(snapshot.manifest.asOf),
      board: snapshot.coins.map((each) => renderReading(snapshot, each, day ?? each.lastDay)),
    };
  },
});

type Given = { readonly coin?: string | undefined; readonly date?: string | undefined };

function coinRange({ ticker, firstDay, lastDay }: SnapshotCoin): DayRange {
  return { firstDay, lastDay, of: `the history of "${ticker}"`, code: "invalid_parameter" };
}

function boardRange({ coins, manifest }: SnapshotData): DayRange {
  const firstDay = Math.min(manifest.asOf, ...coins.map((each) => each.firstDay));
  const lastDay = manifest.asOf;
  return { firstDay, lastDay, of: "the history of the board", code: "invalid_parameter" };
}
