import { dateOfDay } from "../quant/calendar.ts";
import type { Month } from "../quant/dataset/month.ts";
import {
  lastCompleteMonth,
  lastDayOfMonth,
  monthOfText,
  monthText,
} from "../quant/dataset/month.ts";
import { DATASET_DAYS_MIN } from "../quant/dataset/definition.ts";
import { WARM_UP_DAYS } from "../quant/strategies/catalogue.ts";
import { DATASET, datasetAboutOf } from "../snapshots/tables/dataset.ts";
import type { Before } from "./before.ts";
import type { CleanCoin } from "./price-rules.ts";
import { STALE_AFTER_DAYS } from "./price-rules/limits.ts";
import type { IngestedCoin } from "./stages/stage.ts";

export interface NewestMonthInput {
  readonly coins: readonly IngestedCoin[];
  readonly before: Pick<Before, "tables">;
  /** Told of the coins that are waited for. */
  readonly notice: (text: string) => void;
}

/**
 * The newest month of a run's index and that of its dataset: the last complete one, or the one before while a coin's prices
 * of its last day may still come. A month is published once, so a coin that is a night late would be left out of it for
 * good. A coin is waited for until it is stale, so no longer than to the second day behind the month's end. A first run
 * waits for nobody: it has nothing to carry on meanwhile.
 */
export async function newestMonth(
  asOf: number,
  { coins, before, notice }: NewestMonthInput,
): Promise<Month> {
  const month = lastCompleteMonth(asOf);
  const lastDay = lastDayOfMonth(month);
  const awaited = coins.filter(({ clean }) => mayStillCome(clean, lastDay));
  if (awaited.length === 0) return month;
  const published = await publishedMonth(before);
  if (published === undefined || published >= month) return month;
  const tickers = awaited.map(({ board }) => board.ticker).join(", ");
  const longest = dateOfDay(lastDay + STALE_AFTER_DAYS);
  notice(
    `index and dataset of ${monthText(month)} wait for ${dateOfDay(lastDay)} of ${tickers}, at most until the run of ${longest}`,
  );
  return month - 1;
}

/** Whether a coin that is old enough for the dataset, or with more days for the index, lacks the day and is not stale. */
function mayStillCome({ bars, quality }: CleanCoin, day: number): boolean {
  const first = bars.day[0] ?? Infinity;
  const last = bars.day.at(-1) ?? Infinity;
  return last < day && !quality.stale && day - first + 1 >= WARM_UP_DAYS + DATASET_DAYS_MIN;
}

/** The newest month whose dataset was published. */
async function publishedMonth(before: Pick<Before, "tables">): Promise<Month | undefined> {
  let newest: Month | undefined;
  for await (const tables of before.tables([DATASET])) {
    const [about] = tables.get(DATASET) ?? [];
    const month = about === undefined ? undefined : monthOfText(datasetAboutOf(about).version);
    if (month !== undefined && month > (newest ?? -Infinity)) newest = month;
  }
  return newest;
}
