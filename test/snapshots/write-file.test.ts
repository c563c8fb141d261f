import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { GrowingFile, writeWhole } from "../../snapshots/write-file.ts";
import { fileHandleMethods } from "../support/file-handle-methods.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");
afterEach(() => vi.restoreAllMocks());

/** Pieces of 0 to 4 bytes that count up, so that a lost, doubled or misplaced byte is seen. */
function piecesOf(count: number): Uint8Array[] {
  let next = 0;
  return Array.from({ length: count }, (_, index) =>
    Uint8Array.from({ length: index % 5 }, () => next++ % 251),
  );
}

async function written(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const path = join(folder(), "file");
  const file = await GrowingFile.create(path);
  await file.append(pieces.slice(0, -3));
  await file.end(pieces.slice(-3));
  return readFileSync(path);
}

describe("a growing file", () => {
  test.each([3, 512, 513, 1500])("holds %d pieces one after the other", async (count) => {
    const pieces = piecesOf(count);
    expect(await written(pieces)).toEqual(Buffer.concat(pieces));
  });

  test.each([0, 1, 2, 3, 7, 11, 20])(
    "is whole although the system takes only %d bytes at a time",
    async (bytes) => {
      const methods = await fileHandleMethods();
      vi.spyOn(methods, "writev").mockImplementation(async function (
        this: typeof methods,
        buffers,
      ) {
        const part = Buffer.concat(buffers as Uint8Array[]).subarray(0, bytes);
        const { bytesWritten } = await this.write(part);
        return { bytesWritten, buffers };
      });
      const pieces = piecesOf(12); // 20 bytes in the first nine, 4 in the last three
      expect(await written(pieces)).toEqual(Buffer.concat(pieces));
    },
  );
});

test("no file is written over", async () => {
  const path = join(folder(), "file");
  writeFileSync(path, "before");
  await expect(writeWhole(path, "after")).rejects.toThrow("EEXIST");
  await expect(GrowingFile.create(path)).rejects.toThrow("EEXIST");
  expect(readFileSync(path, "utf8")).toBe("before");
});
