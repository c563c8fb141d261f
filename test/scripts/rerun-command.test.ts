import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { runProgram } from "../../scripts/program.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";

/** Two coins; the second is 16 days too young for the dataset of 2022-08. */
const root = mkdtempSync(join(tmpdir(), "hindsight-rerun-"));
const empty = mkdtempSync(join(tmpdir(), "hindsight-rerun-"));
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  // The dataset is frozen but the last month's prices are not; that must not matter.
  await runSmall(root, { source: memorySource(smallMarket(1003)), nowMs: Date.now() });
});
afterAll(() => {
  for (const folder of [root, empty]) rmSync(folder, { recursive: true, force: true });
});

let out: string[] = [];
let err = "";

/** The exit code of one command line. A command sets `process.exitCode` to report without failing. */
async function rerun(...args: string[]): Promise<number> {
  out = [];
  err = "";
  vi.spyOn(console, "log").mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, "error").mockImplementation((text) => ((err += String(text)), undefined));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
  const before = process.exitCode;
  const code = await runProgram(["rerun", "--snapshots", root, ...args]);
  const asked = Number(process.exitCode ?? 0);
  process.exitCode = before;
  return code === 0 ? asked : code;
}
afterEach(() => {
  vi.restoreAllMocks();
});

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
      const { dataset, agrees, figures } = JSON.parse(out.join("\n")) as Printed;
      expect(dataset).toBe("2022-08");
      expect(agrees, `${name} variant ${variant}`).toBe(true);
      expect(figures).toHaveLength(23);
      for (const { rerun: again, stored } of figures) expect(again).toBe(stored);
    }
  });

  test("prints for people what the run was and that the figures agree", async () => {
    expect(await rerun("--template", "ma_cross", "--coin", "aaa")).toBe(0);
    expect(out[0]).toBe('ma_cross on aaa, variant 1 {"fast":10,"slow":50}');
    expect(out[1]).toContain("2020-07-19 to 2022-08-31, out-of-sample from");
    expect(out.at(-1)).toBe("\nAll figures agree.");
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
