import { z } from "zod";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { constantInJson } from "../http/json-writer.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { coinOf, dayWithin, type History } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject } from "./once-per-object.ts";
import { coin, date } from "./parameters.ts";
import { Reading, renderReading, type RenderedReading } from "./reading.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const DATE = { name: "date", code: "invalid_parameter" } as const;

/** GET /signals?coin=&date= */
export const signals = readEndpoint({
  path: "/signals",
  operationId: "getSignals",
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
      if (day !== undefined) dayWithin(historyOfBoard(snapshot), DATE, day);
      return { date: day };
    }
    const found = coinOf(snapshot, ticker);
    if (day !== undefined) dayWithin(found, DATE, day);
    return { coin: ticker, date: day ?? dateOfDay(found.lastDay) };
  },
  answer(snapshot, given: Given) {
    if (given.coin === undefined) {
      return { ...aboutBoard(snapshot), board: [...readingsOf(snapshot, given)] };
    }
    const found = coinOf(snapshot, given.coin);
    return {
      attribution: attributionOf(snapshot, found),
      as_of: dateOfDay(found.lastDay),
      signal: readingOf(snapshot, found, dayOf(given)),
    };
  },
  long(snapshot, given: Given) {
    if (given.coin !== undefined) return undefined;
    const items = readingsOf(snapshot, given);
    return { data: aboutBoard(snapshot), list: "board", items, count: snapshot.coins.length };
  },
});

type Given = { readonly coin?: string | undefined; readonly date?: string | undefined };

function dayOf({ date: given }: Given): number | undefined {
  return given === undefined ? undefined : dayOfDate(given);
}

function aboutBoard(snapshot: SnapshotData) {
  return { attribution: attributionOf(snapshot), as_of: dateOfDay(snapshot.manifest.asOf) };
}

/** The whole board, each reading made when it is asked for. */
function* readingsOf(snapshot: SnapshotData, given: Given): Iterable<RenderedReading> {
  const day = dayOf(given);
  for (const each of snapshot.coins) yield readingOf(snapshot, each, day);
}

/**
 * How many coins' last readings are kept as JSON. Each appears both in the coin's answer and on the board.
 */
const READINGS_KEPT_MAX = 200;
const keptReadingsOf = oncePerObject<SnapshotData, Map<string, RenderedReading>>(() => new Map());

/** Without a day, the reading of the coin's last day. */
function readingOf(
  snapshot: SnapshotData,
  coin: SnapshotCoin,
  day = coin.lastDay,
): RenderedReading {
  if (day !== coin.lastDay) return renderReading(snapshot, coin, day);
  const kept = keptReadingsOf(snapshot);
  const known = kept.get(coin.ticker);
  if (known !== undefined) return known;
  const reading = renderReading(snapshot, coin, day);
  if (kept.size < READINGS_KEPT_MAX) kept.set(coin.ticker, constantInJson(reading));
  return reading;
}

function historyOfBoard({ coins, manifest: { asOf } }: SnapshotData): History {
  return { firstDay: Math.min(asOf, ...coins.map((each) => each.firstDay)), lastDay: asOf };
}
