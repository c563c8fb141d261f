import type { CoinHistory } from "../../quant/bars.ts";
import { datasetCoins } from "../../quant/dataset/coins.ts";
import { lastDayOfMonth } from "../../quant/month.ts";
import { panelOf } from "../../quant/overfitting/index-panel.ts";
import { turnoverOf } from "../../quant/robustness/coin-premiums.ts";
import { BLOCK_DAYS, LARGEST_COINS } from "../../quant/robustness/definition.ts";
import type { DrawCoin, RobustnessDraw } from "../../quant/robustness/draw.ts";
import { robustnessRows } from "../../quant/robustness/report.ts";
import { WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { DATASET, isDataset } from "../../snapshots/tables/dataset.ts";
import { DATASET_ROBUSTNESS, isRobustness } from "../../snapshots/tables/dataset-robustness.ts";
import { datasetRobustnessBlock } from "../../snapshots/tables/dataset-robustness.ts";
import { historiesOf } from "../../snapshots/tables/prices.ts";
import type { TableBlock } from "../../snapshots/tables/table.ts";
import { catalogueFingerprint } from "../catalogue-fingerprint.ts";
import type { ComputePool } from "../compute-pool.ts";
import { mapOn } from "../map-on.ts";
import { firstPublished, type Stage, type StageInput, type WholeTables } from "./stage.ts";

/** Default number of permutations of each kind. */
export const ROBUSTNESS_DRAWS_DEFAULT = 200;

/**
 * The robustness of the dataset's finding. Like the dataset it is made once for a month; rows that were published
 * with the same dataset are kept. Without draws it is empty.
 */
export function datasetRobustness(pool: ComputePool, draws: number): Stage<WholeTables> {
  return {
    name: "dataset_robustness",
    keeps: [DATASET, DATASET_ROBUSTNESS],
    async run(input) {
      const identity = { month: input.month, catalogue: catalogueFingerprint() };
      const kept = await firstPublished(input, (tables) => {
        const [about] = tables.get(DATASET) ?? [];
        const isSame = about !== undefined && isDataset(about, identity);
        return isSame && (tables.get(DATASET_ROBUSTNESS) ?? []).some(isRobustness);
      });
      const blocks = kept?.get(DATASET_ROBUSTNESS);
      return new Map([[DATASET_ROBUSTNESS, blocks ?? (await made(input, pool, draws))]]);
    },
  };
}

async function made(
  input: StageInput,
  pool: ComputePool,
  draws: number,
): Promise<readonly TableBlock[]> {
  const histories = datasetCoins(historiesOf(input.prices), lastDayOfMonth(input.month));
  if (draws === 0 || histories.length === 0) return [];
  const isLarge = largest(histories);
  const total = histories.length + BLOCK_DAYS.length * draws;
  let done = 0;
  const step = async () => await input.step(++done, total);
  const premiums = await mapOn(pool, histories, {
    work: async ({ bars }) => {
      const firstDay = bars.day[WARM_UP_DAYS]!; // a coin of the dataset has 730 days after the warm-up
      return await pool.coinPremiums({ bars, firstDay, walks: true });
    },
    step,
  });
  const coins = histories.map(({ bars }, coin): DrawCoin => {
    const days = bars.day.length;
    const panel = panelOf([bars], { lastDay: bars.day.at(-1)!, days, share: true });
    return { firstDay: bars.day[0]!, panel, isLarge: isLarge[coin]! };
  });
  const taken: Record<5 | 60, readonly RobustnessDraw[]> = { 5: [], 60: [] };
  const numbers = Array.from({ length: draws }, (_, draw) => draw);
  for (const blockDays of BLOCK_DAYS) {
    taken[blockDays] = await mapOn(pool, numbers, {
      work: async (draw) =>
        await pool.robustnessDraw({ coins, seed: input.month, draw, blockDays }),
      step,
    });
  }
  const rows = robustnessRows(premiums, isLarge, { seed: input.month, draws: taken });
  return [datasetRobustnessBlock(rows, draws)];
}

/** Whether each coin is one of those with the highest turnover, the earlier on a tie. */
function largest(histories: readonly CoinHistory[]): boolean[] {
  const turnovers = histories.map(({ bars }) => turnoverOf(bars));
  const order = [...turnovers.keys()].sort((a, b) => turnovers[b]! - turnovers[a]!);
  const chosen = new Set(order.slice(0, LARGEST_COINS));
  return histories.map((_, coin) => chosen.has(coin));
}
