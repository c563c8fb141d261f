import { readdirSync } from "node:fs";
import type * as FileSystem from "node:fs";
import type * as FileSystemPromises from "node:fs/promises";
import { basename } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runPrices } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * After a power loss the disk has what was forced to it. Of anything else it may have a part, or the name
 * without the content. So the test records, in order, what a run forces to disk and the names it gives.
 */
const watched = vi.hoisted(() => ({ steps: [] as string[], opened: new Map<number, string>() }));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  return {
    ...real,
    openSync: (...args: Parameters<typeof real.openSync>) => {
      const handle = real.openSync(...args);
      watched.opened.set(handle, String(args[0]));
      return handle;
    },
    fsyncSync: (handle: number) => {
      real.fsyncSync(handle);
      watched.steps.push(`force ${watched.opened.get(handle)}`);
    },
    renameSync: (from: string, to: string) => {
      real.renameSync(from, to);
      watched.steps.push(`name ${to}`);
    },
  };
});

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystemPromises>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const file = await real.open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        watched.steps.push(`force ${String(args[0])}`);
      };
      return file;
    },
  };
});

const root = temporaryFolder("power");

let steps: readonly string[];
let dir: string;
beforeAll(async () => {
  ({ dir } = await runPrices(root));
  const ours = watched.steps.map((step) =>
    step.replace(/\.unfinished-[0-9a-f-]{36}/, "unfinished"),
  );
  steps = ours.map((step) => step.replace(`${root}/`, "").replace(root, "the root"));
});

describe("a run that publishes", () => {
  test("has every file and the list of their names on disk before they get the snapshot's name", () => {
    const published = steps.indexOf(`name ${basename(dir)}`);
    const before = steps.slice(0, published);
    const listed = before.lastIndexOf("force unfinished");
    for (const name of readdirSync(dir)) {
      const forced = before.lastIndexOf(`force unfinished/${name}`);
      expect({ name, forced: forced >= 0 && forced < listed }).toEqual({ name, forced: true });
    }
  });

  test("has the snapshot's name on disk before CURRENT says it, and then CURRENT", () => {
    expect(steps.slice(steps.indexOf(`name ${basename(dir)}`))).toEqual([
      `name ${basename(dir)}`,
      "force the root",
      "force .unfinished-CURRENT",
      "name CURRENT",
      "force the root",
    ]);
  });
});
