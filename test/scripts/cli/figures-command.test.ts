import { beforeAll, describe, expect, test } from "vitest";
import { FIGURES } from "../../../quant/dataset/figures.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { rowsOfBlocks, type Row } from "../../../snapshots/dataset-tables.ts";
import { findCurrent } from "../../../snapshots/folder.ts";
import { readHistory } from "../../../snapshots/history.ts";
import { DATASET_AGGREGATES } from "../../../snapshots/tables/dataset-aggregates.ts";
import { json, runCommand } from "../../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = temporaryFolder("figures");
const empty = temporaryFolder("figures");
let aggregates: Row[] = [];
beforeAll(async () => {
  await runSmall(root, { source: memorySource(smallMarket(1000)) });
  const { tables } = await readHistory((await findCurrent(root))!, [DATASET_AGGREGATES]);
  aggregates = rowsOfBlocks(tables.get(DATASET_AGGREGATES)!);
});

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

const figures = (...args: string[]) => runCommand("figures", "--snapshots", root, ...args);
const printed = (...args: string[]) => json<Printed>("figures", "--snapshots", root, ...args);

interface Printed {
  readonly figures: readonly { of: string; value: number | null; n: number }[];
}

describe("hindsight figures", () => {
  test("prints every figure of the headline, in the order of their table", async () => {
    const { figures: rows } = await printed();
    const names = FIGURES.map(({ name }) => name);
    expect(rows.map(({ of }) => of)).toEqual(
      names.filter((name) => rows.some((r) => r.of === name)),
    );
    expect(rows.length).toBeGreaterThan(20);
  });

  test.each([
    ["mean_pbo", 0],
    ["median_haircut_pct", 5],
  ])("prints %s of each template, the largest first, %d without one last", async (name, none) => {
    const asked = ["--by", "template", "--figure", name];
    const { out } = await figures(...asked);
    const cells = out
      .trimEnd()
      .split("\n")
      .slice(3)
      .map((line) => line.split(/ +/));
    expect(cells.filter((row) => row.length < 4)).toEqual(cells.slice(cells.length - none));
    const { figures: rows } = await printed(...asked);
    expect(rows.map(({ of }) => of).sort()).toEqual(STUDIED.map(({ name }) => name).sort());
    const values = rows.map(({ value }) => value ?? -Infinity);
    expect(values).toEqual([...values].sort((one, other) => other - one));
  });

  test.each(["all", "template", "coin", "family"])(
    "prints what the table of aggregates has of scope %s",
    async (scope) => {
      const asked = scope === "all" ? [] : ["--by", scope, "--figure", "mean_pbo"];
      const { figures: rows } = await printed(...asked);
      const stored = aggregates
        .filter((row) => row["scope"] === scope)
        .filter((row) => scope === "all" || row["figure"] === "mean_pbo")
        .map((row) => ({
          of: row[scope === "all" ? "figure" : scope],
          value: numberOf(row["value"]),
          coin_flip: numberOf(row["coin_flip"]),
          n: row["n"],
        }));
      expect(stored.length).toBeGreaterThan(0);
      expect(new Set(rows)).toEqual(new Set(stored));
    },
  );

  test("prints the headline for people, to four digits", async () => {
    const { out } = await figures();
    const lines = out.split("\n");
    expect(lines[2]).toMatch(/^figure +value +coin flip +n$/);
    const pbo = aggregates.find((row) => row["scope"] === "all" && row["figure"] === "mean_pbo")!;
    const shown = String(Number(Number(pbo["value"]).toPrecision(4)));
    expect(lines.find((line) => line.startsWith("mean_pbo "))?.split(/ +/)[1]).toBe(shown);
  });

  test("prints one figure of the headline, and says nothing of the others", async () => {
    const { out } = await figures("--figure", "mean_pbo");
    const rows = out.trimEnd().split("\n").slice(3);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/^mean_pbo +[\d.]+ +0\.5 +\d+$/);
  });

  test("prints a table for people", async () => {
    const { out } = await figures("--by", "coin");
    const [dataset, blank, heads, first] = out.split("\n");
    expect(dataset).toMatch(/^dataset 20\d\d-\d\d of \S+: 286 runs on 1 coin, 22 picks$/);
    expect(blank).toBe("");
    expect(heads).toMatch(/^coin +median_out_of_sample_sharpe +coin flip +n$/);
    expect(first).toMatch(/^aaa +-?[\d.]+ +-?[\d.]+ +22$/);
  });

  test("explains names that hold the size of the whole dataset", async () => {
    const line = "\n\nn_11440: all runs of the dataset, of which this one has 286.\n";
    for (const args of [[], ["--by", "coin", "--figure", "survivors_n_11440"]]) {
      expect((await figures(...args)).out.endsWith(line)).toBe(true);
    }
    expect((await figures("--by", "coin")).out).not.toContain("n_11440");
    expect(await printed()).toMatchObject({ runs: 286, coins: 1, picks: 22, synthetic: false });
  });

  test.each([
    [["--by", "rule"], 2, "Allowed choices are template, coin, family."],
    [["--figure", "mean_pb"], 2, 'there is no figure "mean_pb"; did you mean "mean_pbo"?'],
    [["--figure", "nope"], 2, 'there is no figure "nope": hindsight figures lists them'],
    [["--snapshots", empty], 1, "no snapshot was published"],
  ])("%j ends with %d", async (args, code, message) => {
    const outcome = await figures(...args);
    expect([outcome.code, outcome.err]).toEqual([code, expect.stringContaining(message)]);
  });
});
