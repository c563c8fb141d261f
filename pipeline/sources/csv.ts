import { readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Board, BoardCoin } from "../board.ts";
import { settleDays } from "../price-rules/days.ts";
import { refusalOf } from "../price-rules/screen.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { quoted } from "./csv-advice.ts";
import { parseCsv } from "./csv-rows.ts";
import type { ParsedFile } from "./csv-rows.ts";
import { InputError } from "./input-error.ts";
import { Tally } from "./tally.ts";
import { RAW_LENGTH_MAX, boundedRaw } from "./source.ts";
import type {
  FetchRange,
  FileFault,
  FileFaultReason,
  PriceSource,
  RawRow,
  SourceCoin,
} from "./source.ts";

/** About 250 years of days; a larger file does not hold daily prices. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Rows that are kept between finding the newest day and fetching the coins, some 300 bytes each. A board of 50 coins
 * has fewer; of a larger one, the files that do not fit are read again.
 */
const ROWS_KEPT_MAX = 200_000;

const SUFFIX = ".csv";
const NAMES_SHOWN_MAX = 3;

interface CsvOptions {
  /** Believe the last row of a file that ends before the others. */
  readonly keepLastRows?: boolean | undefined;
  /** Rows of later days don't count as the end of a file. */
  readonly today?: number;
  readonly rowsKeptMax?: number;
}

/**
 * A folder of price files, one `<ticker>.csv` per coin. Files of coins that are not on the board are
 * counted and not read. A file is always read whole, so every change of history is noticed. What was read to find the
 * newest day is what is fetched, up to `rowsKeptMax` rows.
 */
export function openCsv(
  folder: string,
  board: Board,
  { keepLastRows = false, today = Infinity, rowsKeptMax = ROWS_KEPT_MAX }: CsvOptions = {},
): PriceSource {
  const { names, others } = priceFiles(folder);
  const tickers = new Set(board.map(({ ticker }) => ticker));
  const present = board.filter(({ ticker }) => names.has(ticker + SUFFIX));
  if (present.length === 0) {
    const example = `"${board[0]?.ticker ?? "btc"}${SUFFIX}"`;
    throw new InputError(
      `folder "${folder}" has no price file of a board coin, such as ${example}${insteadText([...names, ...others])}`,
    );
  }
  const otherFiles = [...names].filter((name) => !tickers.has(name.slice(0, -SUFFIX.length)));
  const tally = new Tally("csv");
  const kept = new KeptCoins(rowsKeptMax);
  return {
    name: "csv",
    synthetic: false,
    parallel: 4,
    newestDay: async (limit) => {
      let newest: number | null = null;
      let why: string | undefined;
      for (const { ticker } of present) {
        const coin = await readCoin(folder, ticker, names);
        kept.add(coin);
        const day = newestIn(coin, limit);
        if (day !== null && (newest === null || day > newest)) newest = day;
        // A file with later days is not at fault, whatever is wrong with some of them.
        if (newest === null && newestIn(coin, Infinity) === null) why ??= complaintOf(coin);
      }
      if (newest !== null || why === undefined) return newest;
      throw new InputError(
        `source "csv" has no believable price of any board coin up to ${dateOfDay(limit)}: ${why}`,
      );
    },
    fetch: async ({ ticker }: BoardCoin, { toDay }: FetchRange) => {
      const coin = kept.take(ticker) ?? (await readCoin(folder, ticker, names));
      return tally.add(keepLastRows ? coin : withoutUnfinishedDay(coin, toDay, today));
    },
    // A folder with a single good file is still useful; what is wrong with the others is recorded.
    conclude: () => tally.summary({ failedShareMax: 1, otherFiles: otherFiles.length }),
  };
}

/** Coins whose files were read, until they are fetched: up to a number of rows. */
class KeptCoins {
  readonly #coins = new Map<string, SourceCoin>();
  #room: number;

  constructor(rowsMax: number) {
    this.#room = rowsMax;
  }

  add(coin: SourceCoin): void {
    const rows = coin.rows.length + coin.faults.length;
    if (rows > this.#room) return;
    this.#room -= rows;
    this.#coins.set(coin.ticker, coin);
  }

  take(ticker: string): SourceCoin | undefined {
    const coin = this.#coins.get(ticker);
    this.#coins.delete(ticker);
    return coin;
  }
}

/** The names in a folder: of price files, and all others. */
function priceFiles(folder: string): { names: Set<string>; others: string[] } {
  if (folder === "") throw new InputError('source "csv:DIR" needs a folder behind the colon');
  try {
    if (!statSync(folder).isDirectory()) throw new InputError(`"${folder}" is not a folder`);
    const all = readdirSync(folder);
    const names = new Set(all.filter((name) => name.endsWith(SUFFIX)));
    return { names, others: all.filter((name) => !names.has(name)) };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const why = missing ? "does not exist" : `cannot be read: ${(error as Error).message}`;
    throw new InputError(`folder "${folder}" ${why}`, { cause: error });
  }
}

/** What a folder without a usable file has instead: mostly the files under other names. */
function insteadText(names: readonly string[]): string {
  if (names.length === 0) return ": it is empty";
  const shown = names
    .toSorted()
    .slice(0, NAMES_SHOWN_MAX)
    .map((name) => quoted(name));
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  return `: it has ${shown.join(", ")}${more}`;
}

/** What is wrong with a file: itself, or the first of its rows that is refused. */
function complaintOf({ ticker, rows, faults, fault }: SourceCoin): string | undefined {
  if (fault !== null) return fault.message;
  const [unread] = faults;
  if (unread !== undefined) {
    return `${ticker}${SUFFIX} line ${unread.line}: ${unread.why ?? unread.reason}`;
  }
  const impossible = rows.find((row) => refusalOf(row) !== undefined);
  if (impossible !== undefined) {
    const raw = quoted(impossible.raw ?? "", RAW_LENGTH_MAX);
    return `${ticker}${SUFFIX} line ${impossible.line}: ${refusalOf(impossible)} in ${raw}`;
  }
  const [misplaced] = settleDays(rows).rejects;
  return misplaced && `${ticker}${SUFFIX} line ${misplaced.line}: ${misplaced.reason}`;
}

async function readCoin(
  folder: string,
  ticker: string,
  names: ReadonlySet<string>,
): Promise<SourceCoin> {
  const file = ticker + SUFFIX;
  const parsed = names.has(file)
    ? await readPrices(join(folder, file))
    : failed("file_missing", "there is no such file");
  const whole = { ticker, whole: true, fetchedFrom: null };
  if (parsed.ok) return { ...whole, rows: parsed.rows, faults: parsed.faults, fault: null };
  const fault: FileFault = { reason: parsed.reason, message: `${file}: ${parsed.why}` };
  return { ...whole, rows: [], faults: [], fault };
}

type Failed = { readonly ok: false; readonly reason: FileFaultReason; readonly why: string };

/**
 * Reads a price file. Bytes that are not UTF-8 become U+FFFD, which no header, date or number contains: a
 * bad row is refused by itself, a file of garbage by its header.
 */
async function readPrices(path: string): Promise<ParsedFile | Failed> {
  try {
    // Checked before opening it: opening a pipe would wait for a writer.
    const facts = statSync(path);
    if (!facts.isFile()) return failed("not_a_file", "it is not a file");
    if (facts.size > FILE_BYTES_MAX) {
      return failed("file_too_large", `${facts.size} bytes, at most ${FILE_BYTES_MAX} are read`);
    }
    const handle = await open(path, "r");
    try {
      return parseCsv(await handle.readFile("utf8"));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failed("file_unreadable", `it cannot be read (${code ?? message})`);
  }
}

function failed(reason: FileFaultReason, why: string): Failed {
  return { ok: false, reason, why };
}

/**
 * The newest day that the price rules accept. Refused rows do not count, not even those refused only for
 * their place among the others.
 */
function newestIn({ rows }: SourceCoin, limit: number): number | null {
  const possible = rows.filter((row) => row.day <= limit && refusalOf(row) === undefined);
  return settleDays(possible).rows.at(-1)?.day ?? null;
}

/**
 * Refuses the last day of a file that ends before `asOf`, the newest day of the board. Such a file is often one that
 * was downloaded while its last day was not over, and nothing in the row tells. A day with a later row behind it was
 * over, even if that row is refused for itself.
 */
function withoutUnfinishedDay(coin: SourceCoin, asOf: number, today: number): SourceCoin {
  const later = (newest: number, { day }: { readonly day: number | null }) =>
    day !== null && day > newest && day <= today ? day : newest;
  const last = coin.faults.reduce(later, coin.rows.reduce(later, -Infinity));
  if (last >= asOf) return coin;
  const isUnfinished = (row: RawRow) => row.day === last && refusalOf(row) === undefined;
  const unfinished = coin.rows.filter(isUnfinished);
  const faults = unfinished.map(({ line, day, raw = "" }) => {
    return { line, day, reason: "last_day_unfinished", raw: boundedRaw(raw) } as const;
  });
  return {
    ...coin,
    rows: coin.rows.filter((row) => !isUnfinished(row)),
    faults: [...coin.faults, ...faults],
  };
}
