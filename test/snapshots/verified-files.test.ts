import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MANIFEST_FILE } from "../../snapshots/manifest.ts";
import { verifyFiles } from "../../snapshots/verified-files.ts";
import { runSmall } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each([
  ["at once", verifyFiles],
  ["with rests", (dir, wanted) => verifyFiles(dir, wanted, setImmediate)],
] as [string, typeof verifyFiles][])("files of a snapshot read %s", (_, read) => {
  test("are the published ones, in shared memory, and those of the manifest", async () => {
    const { dir, manifest } = await runSmall(folder());
    const names = manifest.files.map(({ name }) => name);
    const files = await read(dir, names);
    expect(files.manifest).toEqual(manifest);
    expect(files.problems).toEqual([]);
    expect([...files.contents.keys()]).toEqual(names);
    for (const { name, bytes, sha256: digest } of manifest.files) {
      const content = files.contents.get(name)!;
      expect(content.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(content).toHaveLength(bytes);
      expect(sha256(Buffer.from(content))).toBe(digest);
      expect(sha256(readFileSync(join(dir, name)))).toBe(digest);
    }
    expect(await read(dir, "all")).toEqual({ manifest, problems: [], contents: new Map() });
  });

  test("are complained about one by one, the others are read", async () => {
    const { dir, manifest } = await runSmall(folder());
    const [missing, folderThere, longer, shorter] = manifest.files.map(({ name }) => name);
    rmSync(writable(join(dir, missing!)));
    rmSync(writable(join(dir, folderThere!)));
    mkdirSync(join(dir, folderThere!));
    appendFileSync(writable(join(dir, longer!)), " ");
    truncateSync(writable(join(dir, shorter!)), 1);
    for (const wanted of ["all", manifest.files.map(({ name }) => name)] as const) {
      const { problems } = await read(dir, wanted);
      expect(problems).toEqual([
        `${missing} is missing`,
        `${folderThere} cannot be read (EISDIR)`,
        expect.stringMatching(`^${longer} (has \\d+ bytes, the manifest says|does not match)`),
        expect.stringMatching(`^${shorter} has 1 bytes, the manifest says`),
      ]);
    }
    expect((await read(dir, [])).problems).toEqual([]);
  });

  test("need a manifest that was not changed", async () => {
    const { dir } = await runSmall(folder());
    appendFileSync(writable(join(dir, MANIFEST_FILE)), " ");
    const changed = `${MANIFEST_FILE} does not match SHA256SUMS`;
    await expect(read(dir, [])).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(changed) as string,
    });
    rmSync(join(dir, MANIFEST_FILE));
    await expect(read(dir, [])).rejects.toThrow(`${MANIFEST_FILE} is missing`);
  });
});
