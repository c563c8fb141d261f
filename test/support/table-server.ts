import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll } from "vitest";
import { tableFiles } from "../../server/requests/table-files.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import type { Json } from "./json.ts";
import { publishDemo } from "./publish-demo.ts";
import { ServerFixture } from "./server-fixture.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The table that tests read. */
export const NAME = "indicators.parquet";
export const DAY_MS = 86_400_000;

/** A server on the newer of two published snapshots, for all tests of a file. */
export async function tableServer(name: string) {
  const root = temporaryFolder(name);
  await publishDemo(root, "2024-06-01", "2024-06-02T00:10:00Z");
  const older = basename((await findCurrent(root))!);
  await publishDemo(root, "2024-06-02", "2024-06-03T00:10:00Z");
  const dir = (await findCurrent(root))!;
  const manifest = await readManifest(dir);
  const base = `/v1/snapshots/${manifest.id}`;
  const options = { snapshot: await openSnapshot(dir), tables: tableFiles(root, () => {}) };
  const server = await ServerFixture.start(options);
  afterAll(() => server.close());
  const key = await server.key();
  const read = (range?: string, headers: Record<string, string> = {}, as = key) =>
    server.get(`${base}/${NAME}`, as, { ...(range && { range }), ...headers });
  const head = (range: string, as = key) =>
    fetch(`${server.origin}${base}/${NAME}`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${as}`, ...(range && { range }) },
    });
  /** The paths of signed links, by file. */
  async function linksOf(as: string, query = ""): Promise<Record<string, string>> {
    const { data }: Json = await (await server.get(`/v1/snapshots?${query}`, as)).json();
    return Object.fromEntries(
      data.files.map((file: Json) => [file.name, file.url.slice(server.origin.length)]),
    ) as Record<string, string>;
  }
  const bytes = readFileSync(join(dir, NAME));
  return { root, older, manifest, base, bytes, options, server, key, read, head, linksOf };
}
