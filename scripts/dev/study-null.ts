/**
 * How often a study finds something where nothing can be found: coins of the current snapshot with their days in
 * permuted order. Prints how many of the studies say `skill`, and how many have a walk forward above all 19 shufflings,
 * with the exact binomial test of "at most 7 %".
 *
 *   node dist/scripts/dev/study-null.js [options]
 *
 *   --snapshots DIR    folder of published snapshots (default: snapshots/data, env: HINDSIGHT_SNAPSHOTS)
 *   --draws N          studies (default: 200)
 */
import { binomialTail } from "../../quant/check/binomial-tail.ts";
import { openPrices } from "../../snapshots/price-reader.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { DEFAULT_SNAPSHOTS } from "../../cli/shared-options.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { scriptOptions, whole } from "../support/script-options.ts";
import { nullStudy } from "./null-studies.ts";

const SHARE_MAX = 0.07;
const DAYS_MIN = 1_100;

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? DEFAULT_SNAPSHOTS },
  draws: { type: "string", default: "200" },
});
const draws = whole("--draws", values.draws, 1);
const prices = await openPrices(await currentSnapshot(values.snapshots));
const histories = prices.coins
  .map(({ ticker }) => prices.bars(ticker))
  .filter((bars) => bars !== undefined && bars.day.length >= DAYS_MIN);
let [skill, above] = [0, 0];
for (let draw = 0; draw < draws; draw++) {
  const { isSkill, isAboveAll } = nullStudy(histories[draw % histories.length]!, draw);
  skill += Number(isSkill);
  above += Number(isAboveAll);
  progressLine(`${draw + 1} of ${draws}: ${skill} skill, ${above} above all`);
}
const line = (name: string, count: number) =>
  `${name}: ${count} of ${draws}; p of at most ${100 * SHARE_MAX} %: ${binomialTail(count, draws, SHARE_MAX).toFixed(3)}\n`;
process.stdout.write(line("skill", skill) + line("lead above all 19 shufflings", above));
