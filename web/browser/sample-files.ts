import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { normalQuantile } from "../../quant/overfitting/normal-quantile.ts";

const DAYS = 730;
const FIRST_MS = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;
const DAILY_DEVIATION = 0.025;

/** Made-up files for trying the check, one for each answer, with the yearly Sharpe ratio of their best column. */
export const SAMPLES = [
  { name: "sample-edge.csv", words: "one rule with an edge among 13", variants: 13, best: 2.3 },
  { name: "sample-luck.csv", words: "the best of 16 without one", variants: 16, best: 0 },
  { name: "sample-close.csv", words: "one that could be either", variants: 14, best: 1.9 },
] as const;

/** The file of a sample: daily returns of its columns, the same each time. */
export function sampleFile({ name, variants, best }: (typeof SAMPLES)[number]): File {
  const random = seededRandom(variants, 0);
  const edge = (best / Math.sqrt(365)) * DAILY_DEVIATION;
  const header = Array.from({ length: variants }, (_, column) => `rule ${column + 1}`);
  const lines = Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10);
    const returns = header.map((_, column) => {
      const noise = DAILY_DEVIATION * normalQuantile(Math.max(1e-6, random()));
      return (noise + (column === 0 ? edge : 0)).toFixed(5);
    });
    return [date, ...returns].join(",");
  });
  return new File([[`date,${header.join(",")}`, ...lines].join("\n")], name, { type: "text/csv" });
}
