import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureFolder, findCurrent, listSnapshotIds } from "../../snapshots/folder.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { formatSnapshotId } from "../../snapshots/snapshot-id.ts";
import { RUN_INSTANT_MS } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

describe("the folder of snapshots", () => {
  test("is made with its parents, and may already exist", () => {
    const root = join(folder(), "a", "b");
    ensureFolder(root);
    ensureFolder(root);
    expect(statSync(root).isDirectory()).toBe(true);
  });

  test("cannot be a file, and the error says where it cannot be made", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    expect(() => ensureFolder(file)).toThrow(new SnapshotError(`"${file}" is not a folder`));
    expect(() => ensureFolder(join(file, "below"))).toThrow("cannot be made (ENOTDIR)");
  });

  test("has no question mark in its path, whose rest DuckDB would take for a query", () => {
    const root = join(folder(), "why?", "data");
    expect(() => ensureFolder(root)).toThrow(
      new SnapshotError(`DuckDB writes no files where a path has a "?": "${root}"`),
    );
    expect(existsSync(root)).toBe(false);
  });

  test("lists the newest run first, whatever its day, and no files", async () => {
    const root = folder();
    const [content, other] = ["0123456789ab", "123456789abc"];
    const ids = [
      { asOf: 20_002, instantMs: RUN_INSTANT_MS + 4, contentHash: content },
      { asOf: 20_005, instantMs: RUN_INSTANT_MS + 3, contentHash: content },
      { asOf: 20_001, instantMs: RUN_INSTANT_MS + 2, contentHash: content },
      { asOf: 20_004, instantMs: RUN_INSTANT_MS + 1, contentHash: other },
      { asOf: 20_004, instantMs: RUN_INSTANT_MS + 1, contentHash: content },
      { asOf: 20_003, instantMs: RUN_INSTANT_MS, contentHash: content },
    ].map(formatSnapshotId);
    for (const id of ids.toSorted()) mkdirSync(join(root, id));
    writeFileSync(
      join(root, formatSnapshotId({ asOf: 20_006, instantMs: RUN_INSTANT_MS, contentHash: other })),
      "",
    );
    expect(await listSnapshotIds(root)).toEqual(ids);
  });

  test("is empty when it does not exist", async () => {
    const root = join(folder(), "none");
    expect(await listSnapshotIds(root)).toEqual([]);
    expect(await findCurrent(root)).toBeUndefined();
  });
});
