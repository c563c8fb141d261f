import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as Built from "../../snapshots/file-reader.ts";
import { FileReader } from "../../snapshots/file-reader.ts";
import { MANIFEST_FILE } from "../../snapshots/manifest.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import { runSmall } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

/** The build, in which a quiet thread reads manifests; from sources the calling thread does. */
const BUILT = new URL("../../dist/snapshots/file-reader.js", import.meta.url).href;
const { FileReader: OnThread } = (await import(BUILT)) as typeof Built;

const folder = () => temporaryFolder("snapshots");

describe.each([
  ["the calling thread", () => new FileReader({ quietly: true })],
  ["the calling thread while another starts", () => new OnThread()],
  ["a quiet thread", () => new OnThread({ quietly: true })],
])("a manifest read by %s", (_, start) => {
  test("is the one that was published, and files can be read after it", async () => {
    const { dir, manifest } = await runSmall(folder());
    const reading = start();
    expect(await reading.manifest(dir)).toEqual(manifest);
    const [read] = await reading.read([{ path: join(dir, MANIFEST_FILE), keep: true }]);
    expect(read).toHaveProperty("digest");
    expect(await readManifest(dir)).toEqual(manifest);
  });

  test("is refused if it was changed or is missing, in plain words", async () => {
    const { dir } = await runSmall(folder());
    const reading = start();
    appendFileSync(writable(join(dir, MANIFEST_FILE)), " ");
    const changed = `${MANIFEST_FILE} does not match SHA256SUMS`;
    await expect(reading.manifest(dir)).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(changed) as string,
    });
    rmSync(join(dir, MANIFEST_FILE));
    await expect(reading.manifest(dir)).rejects.toThrow(`${MANIFEST_FILE} is missing`);
    reading.close();
  });
});
