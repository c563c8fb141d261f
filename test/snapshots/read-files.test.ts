import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFile } from "../../snapshots/read-files.ts";
import { openedAs } from "../support/refused-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("read-files");
const path = join(folder, "file");

test.each([undefined, "own", "shared"] as const)(
  "a file that becomes shorter while it is read has its new size, and is closed (%s)",
  (keep) => {
    writeFileSync(path, Buffer.alloc(600_000));
    const read = readFile({ path, keep }, () => truncateSync(path, 300_000));
    expect(read).toMatchObject({ digest: { bytes: 300_000 } });
    expect(openedAs(path)).toEqual([]);
  },
);

test("what is wrong with the call is not taken for a file that the system refuses", () => {
  expect(() => readFile({ path: "\0", keep: undefined })).toThrow("null bytes");
});
