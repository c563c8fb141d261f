import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../snapshots/make-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("folder");

describe("making a folder", () => {
  test("makes missing parents, for the owner alone if told so, and accepts an existing folder", () => {
    const folder = join(root, "a", "b");
    makeFolder(folder, 0o700);
    makeFolder(folder, 0o755);
    expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("fails, and ends, where no folder can be made", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => makeFolder(join(root, "file", "a", "b"))).toThrow("ENOTDIR");
    expect(() => makeFolder("/proc/none/deeper")).toThrow(/EN|EACCES|EROFS/);
  });
});
