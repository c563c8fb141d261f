import { readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Board, BoardCoin } from "../board.ts";
import { settleDays } from "../price-rules/days.ts";
import { refusalOf } from "../price-rules/screen.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { FileRefused } from "../../files/refused.ts";
import { unzip } from "../../files/unzip.ts";
import { readXlsx } from "../../files/xlsx.ts";
import { quoted } from "./csv-advice.ts";
import { tooManyRefused } from "./csv-refusals.ts";
import { parseCsv, type ParsedFile } from "./csv-rows.ts";
import { joinEarlier, tickerOf } from "./earlier.ts";
import { dayOfInstant } from "./as-of.ts";
import { InputError } from "./input-error.ts";
import { Tally } from "./tally.ts";
import { boundedRaw } from "../price-rules/raw-row.ts";
import type { FileFault, FileFaultReason, RawRow, SourceCoin } from "../price-rules/raw-row.ts";
import type { FetchRange, PriceSource } from "./source.ts";

/** About 250 years of days; a larger file does not hold daily prices. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Rows that are kept between finding the newest day and fetching the coins, some 300 bytes each. A board of 50 coins
 * has fewer; on a larger board, the files that do not fit are read again.
 */
const ROWS_KEPT_MAX = 200_000;

/** A file that was changed more recently may still be being written. */
const SETTLED_MS = 60_000;

const SUFFIX = ".csv";
/** As spreadsheets save them. A file of text goes before a workbook of the same coin. */
const WORKBOOK = ".xlsx";
const NAMES_SHOWN_MAX = 3;
const COMPLAINTS_MAX = 5;

interface CsvOptions {
  /** Keep the last row of a file that ends before the others. */
  readonly keepLastRows?: boolean | undefined;
  /** Milliseconds since 1970. Rows of later days do not count as the end of a file. */
  readonly now?: () => number;
  readonly rowsKeptMax?: number;
}

/** A folder of price files, with the name of each by its ticker. */
interface Folder {
  readonly path: string;
  readonly fileOf: ReadonlyMap<string, string>;
  readonly now: () => number;
}

/**
 * A folder of price files, one `<ticker>.csv` per coin, in upper or lower case. Files of coins that are not on the
 * board are counted and not read. A file is always read whole, so every change of history is noticed. `fetch` returns
 * what was read to find the newest day, up to `rowsKeptMax` rows.
 */
export function openCsv(
  path: string,
  board: Board,
  { keepLastRows = false, now = Date.now, rowsKeptMax = ROWS_KEPT_MAX }: CsvOptions = {},
): PriceSource {
  const { fileOf, others } = priceFiles(path);
  const folder = { path, fileOf, now };
  const present = board.filter(({ ticker }) => fileOf.has(ticker));
  if (present.length === 0) {
    const example = `"${board[0]?.ticker ?? "btc"}${SUFFIX}"`;
    throw new InputError(
      `folder "${path}" has no price file of a board coin, such as ${example}${insteadText([...fileOf.values(), ...others])}`,
    );
  }
  const known = new Set(
    board.flatMap((coin) => [coin.ticker, ...(coin.earlier ?? []).map(tickerOf)]),
  );
  const otherFiles = [...fileOf.keys()].filter((ticker) => !known.has(ticker));
  const tally = new Tally("csv");
  const kept = new Map<string, SourceCoin>();
  let room = rowsKeptMax;
  return {
    name: "csv",
    synthetic: false,
    parallel: 4,
    newestDay: async (limit) => {
      const newest: number[] = [];
      const complaints: string[] = [];
      for (const coin of present) {
        const read = await readCoin(folder, coin);
        const rows = read.rows.length + read.faults.length;
        if (rows <= room) {
          room -= rows;
          kept.set(coin.ticker, read);
        }
        newest.push(...newestIn(read, limit));
        // A file that has only later days is not at fault, even if some of its rows are.
        if (read.fault !== null) complaints.push(read.fault.message);
      }
      if (newest.length > 0) return newest.reduce((latest, day) => Math.max(latest, day));
      if (complaints.length === 0) return null;
      const shown = complaints.slice(0, COMPLAINTS_MAX);
      const more = complaints.length - shown.length;
      throw new InputError(
        `source "csv" has no believable price of any board coin up to ${dateOfDay(limit)}: ` +
          `${shown.join("; ")}${more > 0 ? `; and ${more} more files` : ""}`,
      );
    },
    fetch: async (coin: BoardCoin, { toDay }: FetchRange) => {
      const read = kept.get(coin.ticker) ?? (await readCoin(folder, coin));
      kept.delete(coin.ticker);
      const today = dayOfInstant(now());
      return tally.add(keepLastRows ? read : withoutUnfinishedDay(read, toDay, today));
    },
    // A folder with a single good file is still useful; what is wrong with the others is recorded.
    conclude: () => tally.summary({ failedShareMax: 1, otherFiles: otherFiles.length }),
  };
}

/** The names in a folder: of price files, by their tickers, and all others. */
function priceFiles(folder: string): { fileOf: Map<string, string>; others: string[] } {
  if (folder === "") throw new InputError('source "csv:DIR" needs a folder after the colon');
  try {
    if (!statSync(folder).isDirectory()) throw new InputError(`"${folder}" is not a folder`);
    const fileOf = new Map<string, string>();
    const others: string[] = [];
    // Lower case sorts last, so of names that differ only in case, the one in lower case stays.
    for (const name of readdirSync(folder).sort()) {
      const lower = name.toLowerCase();
      const suffix = [SUFFIX, WORKBOOK].find((each) => lower.endsWith(each));
      const ticker = lower.slice(0, -(suffix ?? "").length);
      if (suffix === undefined) others.push(name);
      else if (suffix === SUFFIX || !fileOf.has(ticker)) fileOf.set(ticker, name);
    }
    return { fileOf, others };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const why = missing ? "does not exist" : `cannot be read: ${(error as Error).message}`;
    throw new InputError(`folder "${folder}" ${why}`, { cause: error });
  }
}

/** What a folder without a usable file has instead, such as files with other names. */
function insteadText(names: readonly string[]): string {
  if (names.length === 0) return ": it is empty";
  const shown = names
    .toSorted()
    .slice(0, NAMES_SHOWN_MAX)
    .map((name) => quoted(name));
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  return `: it has ${shown.join(", ")}${more}`;
}

/** A coin's history: from its file, and from those of the symbols it had before. */
async function readCoin(folder: Folder, coin: BoardCoin): Promise<SourceCoin> {
  const own = await readFile(folder, coin.ticker);
  const before = await Promise.all(
    (coin.earlier ?? []).map(async (earlier) => {
      return { earlier, coin: await readFile(folder, tickerOf(earlier)) };
    }),
  );
  return joinEarlier(own, before);
}

async function readFile(folder: Folder, ticker: string): Promise<SourceCoin> {
  const file = folder.fileOf.get(ticker);
  const parsed =
    file === undefined
      ? failed("file_missing", "there is no such file")
      : await readPrices(folder, file, ticker);
  const empty = { ticker, rows: [], faults: [], whole: true, fetchedFrom: null };
  if (!parsed.ok) {
    const message = `${file ?? ticker + SUFFIX}: ${parsed.why}`;
    return { ...empty, fault: { reason: parsed.reason, message } };
  }
  const { rows, faults, notices } = parsed;
  const why = tooManyRefused(parsed);
  if (why === undefined) return { ...empty, rows, faults, fault: null, notices };
  const fault: FileFault = { reason: "too_many_refused", message: `${file}: ${why}` };
  return { ...empty, faults, fault };
}

type Failed = { readonly ok: false; readonly reason: FileFaultReason; readonly why: string };

/**
 * Reads a price file. Bytes that are not UTF-8 become U+FFFD, which no header, date or number contains: a bad row is
 * refused by itself, a file of garbage by its header.
 */
async function readPrices(
  { path: folder, now }: Folder,
  file: string,
  ticker: string,
): Promise<ParsedFile | Failed> {
  const path = join(folder, file);
  try {
    // Checked before opening it: opening a pipe would wait for a writer.
    const before = statSync(path);
    if (!before.isFile()) return failed("not_a_file", "it is not a file");
    if (before.size > FILE_BYTES_MAX) {
      return failed("file_too_large", `${before.size} bytes, at most ${FILE_BYTES_MAX} are read`);
    }
    const handle = await open(path, "r");
    try {
      const bytes = await handle.readFile();
      const text = file.toLowerCase().endsWith(WORKBOOK) ? textOfSheet(bytes) : bytes.toString();
      const { size, mtimeMs } = await handle.stat();
      const settled = size === before.size && now() - mtimeMs > SETTLED_MS;
      return parseCsv(text, { ticker, settled });
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof FileRefused) return failed("file_unreadable", message);
    return failed("file_unreadable", `it cannot be read (${code ?? message})`);
  }
}

/** The only sheet of a workbook, as a file of text has it. */
function textOfSheet(bytes: Uint8Array): string {
  const [sheet, more] = readXlsx(unzip(bytes, (name) => !name.endsWith("/"))) ?? [];
  if (sheet === undefined || more !== undefined) {
    throw new FileRefused("it is not a workbook with a single sheet of prices");
  }
  const { header, rows } = sheet.table;
  return [header, ...rows].map((cells) => `${cells.join("\t")}\n`).join("");
}

function failed(reason: FileFaultReason, why: string): Failed {
  return { ok: false, reason, why };
}

/** The newest day that the price rules accept, if any. Rows that are only out of order do not count either. */
function newestIn({ rows }: SourceCoin, limit: number): number[] {
  const possible = rows.filter((row) => row.day <= limit && refusalOf(row) === undefined);
  return settleDays(possible)
    .rows.slice(-1)
    .map(({ day }) => day);
}

/**
 * Refuses the last day of a file that ends before `asOf`, the newest day of the board. Such a file was often
 * downloaded before its last day was over, and nothing in the row shows it. A day that is followed by a later row was
 * over, even if that row is refused, and so was one before a line that was cut off.
 */
function withoutUnfinishedDay(coin: SourceCoin, asOf: number, today: number): SourceCoin {
  const later = (newest: number, { day }: { readonly day: number | null }) =>
    day !== null && day > newest && day <= today ? day : newest;
  const last = coin.faults.reduce(later, coin.rows.reduce(later, -Infinity));
  if (last >= asOf || isBeforeCut(coin)) return coin;
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

/**
 * Whether the last row is followed by one that was cut off, which is not so if the file begins with its newest day.
 */
function isBeforeCut({ rows, faults }: SourceCoin): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  const isCut = faults.some(({ reason }) => reason === "unterminated_row");
  return isCut && first !== undefined && last !== undefined && first.line <= last.line;
}
