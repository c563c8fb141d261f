import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReadFile } from "../../snapshots/read-files.ts";
import type * as Built from "../../snapshots/file-reader.ts";
import { FileReader } from "../../snapshots/file-reader.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The build, in which a thread reads; from sources the calling thread reads. */
const BUILT = new URL("../../dist/snapshots/file-reader.js", import.meta.url).href;
const { FileReader: OnThread } = (await import(BUILT)) as typeof Built;

/** Empty, one byte, and sizes around the slice that is read at once. */
const SIZES = [3_000_000, 262_145, 262_144, 262_143, 1, 0];
const folder = temporaryFolder("files");

beforeAll(() => {
  SIZES.forEach((size, at) => writeFileSync(join(folder, `${at}`), Buffer.alloc(size, at + 1)));
});

function wanted(keep = false) {
  return SIZES.map((_, at) => ({ path: join(folder, `${at}`), keep }));
}

function sha256(size: number, at: number): string {
  return createHash("sha256")
    .update(Buffer.alloc(size, at + 1))
    .digest("hex");
}

describe.each([
  ["on the calling thread", FileReader],
  ["on a thread of its own", OnThread],
])("FileReader %s", (_, Reader) => {
  test("digests each file and keeps the requested ones", async () => {
    const kept = (await new Reader().read(wanted(true))) as ReadFile[];
    const digested = await new Reader().read(wanted());
    SIZES.forEach((bytes, at) => {
      const digest = { bytes, sha256: sha256(bytes, at) };
      expect(kept[at]?.digest).toEqual(digest);
      expect(kept[at]?.bytes?.buffer).toBeInstanceOf(SharedArrayBuffer);
      const { bytes: read = [] } = kept[at]!;
      expect(Buffer.from(read).equals(Buffer.alloc(bytes, at + 1))).toBe(true);
      expect(digested[at]).toEqual({ digest });
    });
  });

  test.each([false, true])(
    "returns nothing for a missing file, says why for an unreadable one, and reads the others (kept: %s)",
    async (keep) => {
      const missing = { path: join(folder, "missing"), keep };
      const read = await new Reader().read([missing, { path: folder, keep }, ...wanted(keep)]);
      expect(read.slice(0, 2)).toEqual([undefined, { refusal: "EISDIR" }]);
      const others = read.slice(2) as ReadFile[];
      expect(others.map(({ digest }) => digest.bytes)).toEqual(SIZES);
    },
  );
});
