/**
 * Prints made-up daily prices in which one rule works: on days after the 10-day average was above the 40-day one they
 * rise by 0.4 % more than luck has them, and fall by as much on the others. `docs/studies.md` studies them.
 *
 *   node dist/scripts/dev/planted-prices.js > prices/btc.csv
 */
import { dateOfDay } from "../../quant/calendar.ts";
import { normalQuantile } from "../../quant/overfitting/normal-quantile.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { scriptOptions } from "../support/script-options.ts";

const DAYS = 1_700;
const FIRST_DAY = 18_628; // 2021-01-01
const DRIFT = 0.004;
const DEVIATION = 0.025;

scriptOptions(import.meta.url, {});
const random = seededRandom(46, 1);
const closes = [100];
const mean = (days: number) =>
  closes.slice(-days - 1, -1).reduce((sum, value) => sum + value, 0) / days;
const lines = ["date,open,high,low,close,volume"];
for (let day = 0; day < DAYS; day++) {
  const open = closes.at(-1)!; // begins with one
  const side = closes.length < 42 ? 0 : mean(10) > mean(40) ? 1 : -1;
  const close = open * Math.exp(side * DRIFT + DEVIATION * normalQuantile(random() + 2 ** -33));
  closes.push(close);
  const prices = [open, Math.max(open, close) * 1.002, Math.min(open, close) * 0.998, close];
  const cells = prices.map((price) => price.toFixed(4));
  lines.push([dateOfDay(FIRST_DAY + day), ...cells, "1000000"].join());
}
console.log(lines.join("\n"));
