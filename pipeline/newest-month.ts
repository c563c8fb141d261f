import { dateOfDay } from "../quant/calendar.ts";
import type { Month } from "../quant/month.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, monthText } from "../quant/month.ts";
import { DATASET_DAYS_MIN } from "../quant/dataset/definition.ts";
import { WARM_UP_DAYS } from "../quant/strategies/catalogue.ts";
import { DATASET, datasetAboutOf } from "../snapshots/tables/dataset.ts";
import type { PreviousSnapshot } from "./previous-snapshot.ts";
import type { CleanCoin } from "./price-rules.ts";
import { STALE_AFTER_DAYS } from "./price-rules/limits.ts";
import type { IngestedCoin } from "./stages/stage.ts";

interface NewestMonthInput {
  readonly coins: readonly IngestedCoin[];
  readonly previous: Pick<PreviousSnapshot, "tables">;
  /** Called with a sentence about the coins that are awaited. */
  readonly notice: (text: string) => void;
}

/**
 * The newest month of a run's index and dataset: the last complete month, or the one before while some coin's prices
 * for its last day may still arrive. A month is published only once, so a coin whose prices are a night late would be
 * missing from it for good. A month waits for a coin until the coin is stale, so no longer than the second day after
 * the month's end. A first run does not wait, because it has no earlier month to publish instead.
 */
export async function newestMonth(
  asOf: number,
  { coins, previous, notice }: NewestMonthInput,
): Promise<Month> {
  const month = lastCompleteMonth(asOf);
  const lastDay = lastDayOfMonth(month);
  const awaited = coins.filter(({ clean }) => mayStillCome(clean, lastDay));
  if (awaited.length === 0) return month;
  const published = await publishedMonth(previous);
  if (published === undefined || published >= month) return month;
  const tickers = awaited.map(({ board }) => board.ticker).join(", ");
  const longest = dateOfDay(lastDay + STALE_AFTER_DAYS);
  notice(
    `index and dataset of ${monthText(month)} wait for ${dateOfDay(lastDay)} of ${tickers}, at most until the run of ${longest}`,
  );
  return month - 1;
}

/**
 * Whether a coin lacks the day, is not stale, and has enough days for the dataset. The index needs more days, so its
 * coins are among these.
 */
function mayStillCome({ bars, quality }: CleanCoin, day: number): boolean {
  const first = bars.day[0] ?? Infinity;
  const last = bars.day.at(-1) ?? Infinity;
  return last < day && !quality.stale && day - first + 1 >= WARM_UP_DAYS + DATASET_DAYS_MIN;
}

/** The newest month with a published dataset. */
async function publishedMonth(
  previous: Pick<PreviousSnapshot, "tables">,
): Promise<Month | undefined> {
  let newest: Month | undefined;
  for await (const tables of previous.tables([DATASET])) {
    const [about] = tables.get(DATASET) ?? [];
    const month = about === undefined ? undefined : monthOfText(datasetAboutOf(about).version);
    if (month !== undefined && month > (newest ?? -Infinity)) newest = month;
  }
  return newest;
}
