import type { Bars } from "../quant/bars.ts";
import { dateOfDay } from "../quant/calendar.ts";
import type { CleanCoin, CoinQuality } from "./price-rules.ts";
import { WHAT_TO_DO, type Reject } from "./price-rules/screen.ts";
import { hasWeekdaysOnly } from "./price-rules/history.ts";
import {
  DOLLARS_A_DAY_NOTED,
  EQUAL_CLOSES_NOTED,
  FLAT_DAYS_NOTED,
  JUMP_NOTED,
} from "./price-rules/limits.ts";
import type { SourceSummary } from "./sources/source.ts";
import type { IngestedCoin } from "./stages/stage.ts";

const COINS_NAMED_MAX = 50;
const UNIT_CHANGES_NAMED_MAX = 3;

/** What a person should know about the prices of a run, a sentence each. */
export function noticesOf(
  coins: readonly IngestedCoin[],
  { missing, failed, notices = [] }: Pick<SourceSummary, "missing" | "failed" | "notices">,
): string[] {
  return [
    ...(missing.length > 0 ? [`the source does not have ${missing.join(", ")}`] : []),
    ...notices.map(({ ticker, text }) => `${ticker}: ${text}`),
    ...staleNotice(coins),
    ...unfinishedNotice(coins),
    ...coins.flatMap(({ clean }) =>
      noticesOfCoin(clean).map((notice) => `${clean.ticker}: ${notice}`),
    ),
    // Last, where they are seen: these coins are not in the run.
    ...failed.map(({ ticker, message }) => `${ticker}: ${message}`),
  ];
}

/** A coin becomes stale when it is renamed or halted, or when its file is not kept up to date. */
function staleNotice(coins: readonly IngestedCoin[]): string[] {
  const stale = coins
    .filter(({ clean }) => clean.quality.stale)
    .map(({ clean }) => ({ ticker: clean.ticker, day: clean.bars.day.at(-1)! })); // a stale coin has a day
  if (stale.length === 0) return [];
  return [`stale coins, with the last day of each: ${namedDays(stale)}`];
}

function unfinishedNotice(coins: readonly IngestedCoin[]): string[] {
  const days = coins.flatMap(({ clean: { ticker, rejects } }) => {
    const day = rejects.find(({ reason }) => reason === "last_day_unfinished")?.day ?? null;
    return day === null ? [] : [{ ticker, day }];
  });
  if (days.length === 0) return [];
  const files = days.length === 1 ? "1 file ends" : `${days.length} files end`;
  return [
    `${files} before the others: the last day of such a file may be unfinished and was refused ` +
      `(--keep-last-rows keeps it): ${namedDays(days)}`,
  ];
}

function namedDays(days: readonly { readonly ticker: string; readonly day: number }[]): string {
  const shown = days
    .slice(0, COINS_NAMED_MAX)
    .map(({ ticker, day }) => `${ticker} ${dateOfDay(day)}`);
  const more = days.length > shown.length ? ` and ${days.length - shown.length} more` : "";
  return shown.join(", ") + more;
}

function noticesOfCoin(coin: CleanCoin): string[] {
  const { quality, rejects } = coin;
  const { revisedDays, withdrawn, restartedAt, rejected } = quality;
  const notices: string[] = [];
  if (revisedDays > 0) notices.push(`the source changed ${publishedDays(revisedDays)}`);
  if (withdrawn > 0) notices.push(`the source withdrew ${publishedDays(withdrawn)}`);
  if (restartedAt !== null) {
    notices.push(`the history starts anew on ${dateOfDay(restartedAt)}, after a long gap`);
  }
  notices.push(...noticesOfUnits(coin), ...noticesOfBars(coin));
  if (rejected.unterminated_row !== undefined) {
    notices.push("the file's last line has no line break, so it may be cut short and was refused");
  }
  const refused = refusedRows(quality);
  // A coin that is left out has a notice of its own.
  if (refused > quality.accepted && quality.fault === null) {
    const [reason = ""] = Object.entries(rejected).toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const example = rejects.find((reject) => reject.reason === reason);
    notices.push(
      `${refused} of ${quality.rowsRead} rows were refused, most often as ${reason}${exampleText(example)}`,
    );
  }
  return notices;
}

/** Units of prices and volumes that seem wrong. */
function noticesOfUnits({ quality, bars, filled }: CleanCoin): string[] {
  const notices = quality.unitChanges.slice(0, UNIT_CHANGES_NAMED_MAX).map(({ day, factor }) => {
    const row = day - bars.day[0]!; // the bars have one row a day
    return (
      `${closesText(bars, row)} and the next days stay there: a change of unit (redenomination)? Prices are used as ` +
      `they are; "earlier" in the board, until ${dateOfDay(day - 1)} with the factor ${factor}, makes them one history`
    );
  });
  const dollars = bars.volume.map((volume, row) => volume * bars.close[row]!);
  const traded = dollars.filter((_, row) => filled[row] === 0).sort();
  const median = traded[traded.length >> 1] ?? 0;
  if (median > DOLLARS_A_DAY_NOTED) {
    notices.push(
      `the volume looks like dollars, not coins: times the close, it is ${median.toPrecision(3)} dollars on the median day`,
    );
  }
  return notices;
}

/** Prices that are used, but that a person should check. */
function noticesOfBars({ bars, quality, filled }: CleanCoin): string[] {
  const { day, close, volume } = bars;
  const notices: string[] = [];
  if (hasWeekdaysOnly([...day].filter((_, row) => filled[row] === 0))) {
    notices.push(
      `the source has weekdays only: ${quality.filled} days, weekends among them, are filled with the last close`,
    );
  }
  const jump = largestJump(close);
  if (jump !== undefined && !quality.unitChanges.some((change) => change.day === day[jump])) {
    notices.push(
      `${closesText(bars, jump)}: another unit of the coin, or a wrong row; both are used as they are`,
    );
  }
  const last = close.length - 1;
  let flat = 0;
  while (flat < last && close[last - flat - 1] === close[last] && volume[last - flat] === 0) flat++;
  if (flat >= FLAT_DAYS_NOTED) {
    const since = dateOfDay(day[last - flat + 1]!);
    notices.push(`from ${since} on there is no volume and every close is ${close[last]}`);
    return notices;
  }
  const [start, end] = longestEqual(close);
  if (end - start + 1 >= EQUAL_CLOSES_NOTED) {
    const days = `from ${dateOfDay(day[start]!)} to ${dateOfDay(day[end]!)}`;
    notices.push(`${days} every close is ${close[end]}; they are used as they are`);
  }
  return notices;
}

/** The close of a day beside that of the day before it. */
function closesText({ day, close }: Bars, row: number): string {
  const [before, after] = [close[row - 1]!, close[row]!];
  const times = Number((Math.max(before, after) / Math.min(before, after)).toPrecision(3));
  return `the close of ${dateOfDay(day[row]!)} is ${after}, that of the day before ${before}, a factor of ${times}`;
}

/** The row whose close is furthest from the one before it, if by a factor of JUMP_NOTED or more. */
function largestJump(close: Float64Array): number | undefined {
  let largest: number | undefined;
  let size = Math.log(JUMP_NOTED) - 1e-12; // exactly tenfold counts, however it is rounded
  for (let index = 1; index < close.length; index++) {
    const change = Math.abs(Math.log(close[index]! / close[index - 1]!));
    if (change > size) [size, largest] = [change, index];
  }
  return largest;
}

/** The first and last row of the longest run of equal values. */
function longestEqual(values: Float64Array): readonly [start: number, end: number] {
  let longest: readonly [number, number] = [0, 0];
  let start = 0;
  for (const [row, value] of values.entries()) {
    if (value !== values[start]) start = row;
    if (row - start > longest[1] - longest[0]) longest = [start, row];
  }
  return longest;
}

/** Where to find a refused row, and what to change in rows like it. */
function exampleText(reject: Reject | undefined): string {
  if (reject === undefined) return "";
  const { line, reason, raw, why = WHAT_TO_DO[reason] } = reject;
  return why === undefined ? `, such as line ${line}: ${raw}` : `, such as line ${line}: ${why}`;
}

function publishedDays(count: number): string {
  return `${count} published ${count === 1 ? "day" : "days"}`;
}

/** This run's refused rows: `rejected` also includes published refusals of days that were not fetched again. */
function refusedRows(quality: CoinQuality): number {
  const { rowsRead, accepted, duplicatesDropped, incompleteDropped, afterAsOf } = quality;
  return rowsRead - accepted - duplicatesDropped - incompleteDropped - afterAsOf;
}
