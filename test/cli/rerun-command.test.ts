import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { STUDIED } from "../../quant/strategies/studied.ts";
import { json, runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, RUN_INSTANT_MS, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DAY_MS = 86_400_000;

/** Two coins; the second is 16 days too young for the dataset of 2022-08. */
const root = temporaryFolder("rerun");
const empty = temporaryFolder("rerun");
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  // The dataset is frozen but the last month's prices are not; that must not matter.
  const source = memorySource(smallMarket(1003));
  await runSmall(root, { source, nowMs: RUN_INSTANT_MS + DAY_MS });
});

const rerun = (...args: string[]) => runCommand("rerun", "--snapshots", root, ...args);

interface Printed {
  readonly dataset: string;
  readonly agrees: boolean;
  readonly figures: readonly { figure: string; rerun: number | null; stored: number | null }[];
}

describe("hindsight rerun", () => {
  test("makes a run of every template again with the same figures", async () => {
    const runs = STUDIED.map(({ name }, index) => [name, ((5 * index) % 13) + 1] as const);
    // Of these that of keltner_breakout never trades. One more, which buys on the last in-sample day:
    for (const [name, number] of [...runs, ["adx_trend", 3] as const]) {
      const variant = String(number);
      const run = ["--template", name, "--coin", "aaa", "--variant", variant];
      const { dataset, agrees, figures } = await json<Printed>(
        "rerun",
        "--snapshots",
        root,
        ...run,
      );
      expect(dataset).toBe("2022-08");
      expect(agrees, `${name} variant ${variant}`).toBe(true);
      expect(figures).toHaveLength(23);
      for (const { rerun: again, stored } of figures) expect(again).toBe(stored);
    }
  });

  test("prints for people what the run was and that the figures agree", async () => {
    const { code, out } = await rerun("--template", "ma_cross", "--coin", "aaa");
    expect(code).toBe(0);
    const [run, period] = out.split("\n");
    expect(run).toBe('ma_cross on aaa, variant 1 {"fast":10,"slow":50}');
    expect(period).toContain(
      "2020-07-19 to 2022-08-31, out-of-sample from 2022-01-11; dataset 2022-08 of ",
    );
    expect(out).toMatch(/^figure +rerun +stored\nin_sample_days +541 +541\n/m);
    expect(out).toMatch(/\n\nAll figures agree\.\n$/);
  });

  test("tells which figures differ where prices were revised since, and exits with 1", async () => {
    const { aaa, ...others } = smallMarket(1003);
    const [from, to] = [700, 720]; // of the in-sample days
    const revised = aaa!.map((row, index) =>
      from <= index && index < to ? { ...row, high: row.high * 1.2, close: row.close * 1.2 } : row,
    );
    const source = memorySource({ ...others, aaa: revised });
    const fetch: typeof source.fetch = (coin, range) =>
      source.fetch(coin, { ...range, fromDay: null });
    const snapshots = temporaryFolder("rerun-revised");
    cpSync(root, snapshots, { recursive: true });
    const nowMs = RUN_INSTANT_MS + 2 * DAY_MS;
    await runSmall(snapshots, { source: { ...source, fetch }, nowMs });
    const run = ["--template", "ma_cross", "--coin", "aaa", "--snapshots", snapshots];
    const { code, out } = await rerun(...run);
    expect(code).toBe(1);
    expect(out).toMatch(/^in_sample_sharpe .* differs\n/m);
    expect(out).toMatch(/^out_of_sample_sharpe +1\.362552646 +1\.362552646\n/m);
    expect(out).toMatch(/\n\nThe figures differ: the prices were revised since\.\n$/);
    const asJson = await rerun(...run, "--json");
    expect(asJson.code).toBe(1);
    const differs = { agrees: false, out_of_sample_start: "2022-01-11" };
    expect(JSON.parse(asJson.out)).toMatchObject(differs);
  });

  test.each([
    [["--template", "ma_cros", "--coin", "aaa"], 2, 'did you mean "ma_cross"?'],
    [["--template", "ma_cross", "--coin", "bbb"], 2, 'coin "bbb" is not in the dataset'],
    [["--template", "ma_cross", "--coin", "aab"], 2, 'did you mean "aaa"?'],
    [
      ["--template", "ma_cross", "--coin", "aaa", "--variant", "14"],
      2,
      "Allowed are whole numbers from 1 to 13.",
    ],
    [
      ["--template", "ma_cross", "--coin", "aaa", "--variant", "0"],
      2,
      "Allowed are whole numbers from 1 to 13.",
    ],
    [
      ["--template", "ma_cross", "--coin", "aaa", "--variant", "2.5"],
      2,
      "Allowed are whole numbers from 1 to 13.",
    ],
    [["--template", "ma_cross"], 2, "--coin"],
    [
      ["--template", "ma_cross", "--coin", "aaa", "--snapshots", empty],
      1,
      "no snapshot was published",
    ],
  ])("%j ends with %d", async (args, code, message) => {
    const outcome = await rerun(...args);
    expect([outcome.code, outcome.err]).toEqual([code, expect.stringContaining(message)]);
  });
});
