import { appendFileSync, cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ReadAhead } from "../../snapshots/read-ahead.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { runSmall, useSnapshotFolders } from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();
let dir = "";

beforeEach(async () => {
  ({ dir } = await runSmall(folder()));
});

describe("ReadAhead", () => {
  test("gives what it read to the first opening of the snapshot only", async () => {
    const ahead = new ReadAhead(folder());
    const snapshot = await openSnapshot(dir, ahead.take(dir));
    expect(snapshot.bars("aaa")?.close).toHaveLength(260);
    rmSync(dir, { recursive: true });
    await expect(ahead.take(dir), "read again").rejects.toThrow("manifest.json is missing");
  });

  test("reads another snapshot on request", async () => {
    const other = join(folder(), "aside", basename(dir));
    cpSync(dir, other, { recursive: true });
    appendFileSync(join(dir, "dca.parquet"), "x");
    const { problems } = await new ReadAhead(folder()).take(other);
    expect(problems).toEqual([]);
  });

  test("reports damage, also in files that are not served", async () => {
    appendFileSync(join(dir, "hindsight.duckdb"), "x");
    const ahead = new ReadAhead(folder());
    await expect(openSnapshot(dir, ahead.take(dir))).rejects.toThrow("hindsight.duckdb");
    await expect(openSnapshot(dir, ahead.take(dir)), "and again").rejects.toThrow("damaged");
  });

  test("does not fail when there is no snapshot", async () => {
    const ahead = new ReadAhead(join(folder(), "nothing"));
    await expect(ahead.take(dir)).resolves.toMatchObject({ problems: [] });
  });
});
