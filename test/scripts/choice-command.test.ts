import { beforeAll, describe, expect, test } from "vitest";
import type { ChoiceReport } from "../../quant/dataset/choice-report.ts";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { rowsOfBlocks } from "../../snapshots/dataset-tables.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readHistory } from "../../snapshots/history.ts";
import { DATASET_PICKS } from "../../snapshots/tables/dataset-picks.ts";
import { runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("choice");
let picks: Row[] = [];
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  const { tables } = await readHistory((await findCurrent(root))!, [DATASET_PICKS]);
  picks = rowsOfBlocks(tables.get(DATASET_PICKS)!);
});

let out = "";
let err = "";

async function choice(...args: string[]): Promise<number> {
  const outcome = await runCommand("choice", "--snapshots", root, ...args);
  ({ out, err } = outcome);
  return outcome.code;
}

type Printed = ChoiceReport & { readonly template: string; readonly variant: number };

describe("hindsight choice", () => {
  test("says of each template what the dataset has of its pick", async () => {
    const chosen = picks.filter((pick) => Number(pick["trials"]) >= 5);
    expect(chosen.length).toBeGreaterThan(15);
    for (const stored of chosen) {
      const name = String(stored["template"]);
      expect(await choice("--coin", "aaa", "--template", name, "--json")).toBe(0);
      const printed = JSON.parse(out) as Printed;
      const [runs, implied, clusters, rank] = printed.reckonings;
      expect(printed).toMatchObject({ template: name, variant: stored["variant"] });
      expect({
        in_sample_sharpe: printed.inSampleSharpe,
        out_of_sample_sharpe: printed.outOfSampleSharpe,
        pbo: printed.cscv.pbo,
        deflated_sharpe_ratio_n_13: runs!.deflatedSharpe,
        deflated_sharpe_ratio_trials_variance_n_13: runs!.deflatedSharpeOfTrials,
        trials: printed.moved,
        mean_correlation: printed.meanCorrelation,
        implied_trials: implied!.trials,
        effective_rank: rank!.trials,
      }).toEqual(expectedOf(stored));
      expect(clusters!.trials).toBeGreaterThanOrEqual(1);
    }
  });

  test("prints for people the pick among all runs of a coin", async () => {
    expect(await choice("--coin", "aaa")).toBe(0);
    expect(out.split("\n")[0]).toMatch(
      /^the best of \d+ runs that moved on aaa: \w+, variant \d+; dataset 2022-08/,
    );
    expect(out).toMatch(/^cluster 1: \w+ \d+/m);
    expect(out).toMatch(/clusters +\d+ .*splits of the whole run +12870/s);
  });

  test.each([
    [["--coin", "bbb"], 'coin "bbb" is not in the dataset'],
    [["--coin", "aaa", "--template", "ma_cros"], 'did you mean "ma_cross"?'],
    [[], "--coin"],
  ])("%j is refused", async (args, message) => {
    expect(await choice(...args)).toBe(2);
    expect(err).toContain(message);
  });
});

/**
 * The stored figures, by their columns. Nearly equal counts as equal, because the engine adds up in another
 * order.
 */
function expectedOf(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    [
      "in_sample_sharpe",
      "out_of_sample_sharpe",
      "pbo",
      "deflated_sharpe_ratio_n_13",
      "deflated_sharpe_ratio_trials_variance_n_13",
      "trials",
      "mean_correlation",
      "implied_trials",
      "effective_rank",
    ].map((name) => [name, expect.closeTo(Number(row[name]), 9) as unknown]),
  );
}
