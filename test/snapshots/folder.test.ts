import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureFolder, findCurrent, listSnapshotIds } from "../../snapshots/folder.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { useSnapshotFolders } from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();

describe("the folder of snapshots", () => {
  test("is made with those above it, and may be there", () => {
    const root = join(folder(), "a", "b");
    ensureFolder(root);
    ensureFolder(root);
    expect(statSync(root).isDirectory()).toBe(true);
  });

  test("is no file, and where it cannot be made that is said", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    expect(() => ensureFolder(file)).toThrow(new SnapshotError(`"${file}" is not a folder`));
    expect(() => ensureFolder(join(file, "below"))).toThrow("cannot be made (ENOTDIR)");
  });

  test("holds nothing where it does not exist", async () => {
    const root = join(folder(), "none");
    expect(await listSnapshotIds(root)).toEqual([]);
    expect(await findCurrent(root)).toBeUndefined();
  });
});
