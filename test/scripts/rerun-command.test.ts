import { beforeAll, describe, expect, test } from "vitest";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Two coins; the second is 16 days too young for the dataset of 2022-08. */
const root = temporaryFolder("rerun");
const empty = temporaryFolder("rerun");
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  // The dataset is frozen but the last month's prices are not; that must not matter.
  await runSmall(root, { source: memorySource(smallMarket(1003)), nowMs: Date.now() });
});

let out = "";
let err = "";

async function rerun(...args: string[]): Promise<number> {
  const outcome = await runCommand("rerun", "--snapshots", root, ...args);
  ({ out, err } = outcome);
  return outcome.code;
}

interface Printed {
  readonly dataset: string;
  readonly agrees: boolean;
  readonly figures: readonly { figure: string; rerun: number | null; stored: number | null }[];
}

describe("hindsight rerun", () => {
  test("makes a run of every template again with the same figures", async () => {
    for (const [index, { name }] of CATALOGUE.entries()) {
      const variant = String((index % 13) + 1);
      expect(await rerun("--template", name, "--coin", "aaa", "--variant", variant, "--json")).toBe(
        0,
      );
      const { dataset, agrees, figures } = JSON.parse(out) as Printed;
      expect(dataset).toBe("2022-08");
      expect(agrees, `${name} variant ${variant}`).toBe(true);
      expect(figures).toHaveLength(23);
      for (const { rerun: again, stored } of figures) expect(again).toBe(stored);
    }
  });

  test("prints for people what the run was and that the figures agree", async () => {
    expect(await rerun("--template", "ma_cross", "--coin", "aaa")).toBe(0);
    const [run, period] = out.split("\n");
    expect(run).toBe('ma_cross on aaa, variant 1 {"fast":10,"slow":50}');
    expect(period).toContain("2020-07-19 to 2022-08-31, out-of-sample from");
    expect(out).toMatch(/\n\nAll figures agree\.\n$/);
  });

  test.each([
    [["--template", "ma_cros", "--coin", "aaa"], 2, 'did you mean "ma_cross"?'],
    [["--template", "ma_cross", "--coin", "bbb"], 2, 'coin "bbb" is not in the dataset'],
    [["--template", "ma_cross", "--coin", "aab"], 2, 'did you mean "aaa"?'],
    [["--template", "ma_cross", "--coin", "aaa", "--variant", "14"], 2, "Allowed are 1 to 13."],
    [["--template", "ma_cross"], 2, "--coin"],
    [
      ["--template", "ma_cross", "--coin", "aaa", "--snapshots", empty],
      1,
      "no snapshot was published",
    ],
  ])("%j ends with %d", async (args, code, message) => {
    expect(await rerun(...args)).toBe(code);
    expect(err).toContain(message);
  });
});
