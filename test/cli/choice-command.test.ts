import { beforeAll, describe, expect, test } from "vitest";
import type { ChoiceReport } from "../../quant/dataset/choice-report.ts";
import { rowsOfBlocks, type Row } from "../../snapshots/dataset-tables.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readHistory } from "../../snapshots/history.ts";
import { DATASET_PICKS } from "../../snapshots/tables/dataset-picks.ts";
import { json, runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("choice");
let picks: Row[] = [];
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  const { tables } = await readHistory((await findCurrent(root))!, [DATASET_PICKS]);
  picks = rowsOfBlocks(tables.get(DATASET_PICKS)!);
});

const OF_ONE_TEMPLATE = `\
the best of 10 runs that moved on aaa: keltner_breakout, variant 2; dataset 2022-08
2020-07-19 to 2022-08-31, out-of-sample from 2022-01-11: Sharpe 0.009894, then 2.707

trials by       number  luck bar  DSR      luck bar, own V  DSR, own V
runs            13      1.4       0.04527  0.3331           0.347
implied_trials  4.036   0.8698    0.1476   0.2069           0.4053
effective_rank  3.029   0.7069    0.1981   0.1682           0.4236

CSCV
mean correlation in-sample             0.6627
splits of the whole run                12870
PBO, ties half                         0.7745
PBO, ties in full                      0.7748
probability of loss                    0.4752
slope of out-of-sample on in-sample    -0.9695
R squared of that line                 0.7522
picks dominate all, first order        no
picks dominate all, second order       no
worst excess of picks below a Sharpe   0.1582
mean advantage of picks, Sharpe a day  -0.01449
`;

const choice = (...args: string[]) => runCommand("choice", "--snapshots", root, ...args);
const printed = (...args: string[]) =>
  json<ChoiceReport>("choice", "--snapshots", root, "--coin", ...args);

describe("hindsight choice", () => {
  test("says of each template what the dataset has of its pick", async () => {
    const chosen = picks.filter((pick) => Number(pick["trials"]) >= 5);
    expect(chosen.length).toBeGreaterThan(15);
    for (const stored of chosen) {
      const name = String(stored["template"]);
      const report = await printed("aaa", "--template", name);
      const [runs, implied, rank] = report.reckonings;
      expect(report).toMatchObject({ template: name, variant: stored["variant"] });
      const figures = {
        in_sample_sharpe: report.inSampleSharpe,
        out_of_sample_sharpe: report.outOfSampleSharpe,
        pbo: report.cscv.pbo,
        deflated_sharpe_ratio_n_13: runs!.deflatedSharpe,
        deflated_sharpe_ratio_trials_variance_n_13: runs!.deflatedSharpeOfTrials,
        trials: report.moved,
        mean_correlation: report.meanCorrelation,
        implied_trials: implied!.trials,
        effective_rank: rank!.trials,
      };
      // Nearly, because the engine adds up in another order.
      for (const [figure, value] of Object.entries(figures)) {
        expect(value, `${figure} of ${name}`).toBeCloseTo(Number(stored[figure]), 9);
      }
    }
  });

  test("prints for people the pick among all runs of a coin, the best of the dataset's picks", async () => {
    const moved = picks.filter((pick) => Number(pick["trials"]) > 0);
    const runs = moved.reduce((sum, pick) => sum + Number(pick["trials"]), 0);
    const sharpeOf = (pick: Row) => Number(pick["in_sample_sharpe"]);
    const best = moved.toSorted((a, b) => sharpeOf(b) - sharpeOf(a))[0]!;
    const { out } = await choice("--coin", "aaa");
    const [what, when] = out.split("\n");
    expect(what).toContain(
      `the best of ${runs} runs that moved on aaa: ${String(best["template"])}, variant ${String(best["variant"])}; dataset 2022-08`,
    );
    expect(when).toContain(
      `: Sharpe ${sharpeOf(best).toPrecision(4)}, then ${Number(best["out_of_sample_sharpe"]).toPrecision(4)}`,
    );
    expect(out).toMatch(/effective_rank +\d.*splits of the whole run +12870/s);
  });

  test("prints for people what it found about one template, to four digits", async () => {
    const keltner = await choice("--coin", "aaa", "--template", "keltner_breakout");
    expect(keltner.out.replace(/ of \S+$/m, "")).toBe(OF_ONE_TEMPLATE);
    const stochastic = await choice("--coin", "aaa", "--template", "stochastic");
    expect(stochastic.out).toMatch(/^picks dominate all, second order +yes$/m);
  });

  test("refuses to choose among runs that never moved, on a price that stood still", async () => {
    const still = { open: 1, high: 1, low: 1, close: 1 };
    const aaa = smallMarket(1000)["aaa"]!.map((row) => ({ ...row, ...still }));
    const snapshots = temporaryFolder("choice-still");
    await runSmall(snapshots, { source: memorySource({ aaa }) });
    const args = ["--coin", "aaa", "--template", "ma_cross", "--snapshots", snapshots];
    const err = 'error: fewer than 5 of these runs of "aaa" moved: there is no choice\n';
    expect(await choice(...args)).toEqual({ code: 2, out: "", err });
  });

  test("takes a ticker in capitals", async () => {
    const report = await printed("AAA", "--template", "stochastic");
    expect(report).toMatchObject({ coin: "aaa", synthetic: false });
  });

  test.each([
    [["--coin", "bbb"], 'coin "bbb" is not in the dataset'],
    [["--coin", "aab"], 'did you mean "aaa"?'],
    [["--coin", "aaa", "--template", "MA_cros"], 'did you mean "ma_cross"?'],
    [[], "--coin"],
  ])("%j is refused", async (args, message) => {
    const { code, err } = await choice(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
