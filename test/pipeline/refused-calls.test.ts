import { readFileSync, readdirSync } from "node:fs";
import type * as FileSystem from "node:fs";
import type * as FileSystemPromises from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findCurrent, listSnapshotIds, UNFINISHED_PREFIX } from "../../snapshots/folder.ts";
import { SNAPSHOTS_KEPT } from "../../snapshots/prune.ts";
import { runCommand } from "../support/command-line.ts";
import { RUN_INSTANT_MS, runPrices, watcher } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The disk refuses one call that a run makes on its folder, or all of them. */
const disk = vi.hoisted(() => ({
  calls: [] as string[],
  /** Which calls are refused: the number of one, or all. */
  refused: undefined as number | "all" | undefined,
  /** In the place of the usual error. */
  error: undefined as Error | undefined,
  refuse(what: string): void {
    const at = disk.calls.push(what) - 1;
    if (disk.refused !== "all" && at !== disk.refused) return;
    throw (
      disk.error ??
      Object.assign(new Error(`EIO: i/o error, ${what}`), { code: "EIO", syscall: what })
    );
  },
}));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const refusable =
    <Args extends unknown[], Result>(what: string, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      disk.refuse(what);
      return call(...args);
    };
  return {
    ...real,
    openSync: refusable("open", real.openSync),
    writeSync: refusable("write", real.writeSync as (...args: unknown[]) => number),
    writeFileSync: refusable("write", real.writeFileSync),
    fsyncSync: refusable("fsync", real.fsyncSync),
    renameSync: refusable("rename", real.renameSync),
    linkSync: refusable("link", real.linkSync),
    mkdirSync: refusable("mkdir", real.mkdirSync),
    rmSync: refusable("unlink", real.rmSync),
  };
});

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystemPromises>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      disk.refuse("open");
      const file = await real.open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        disk.refuse("fsync");
        await sync();
      };
      return file;
    },
    readdir: async (...args: Parameters<typeof real.readdir>) => {
      disk.refuse("scandir");
      return await real.readdir(...args);
    },
  };
});

const root = temporaryFolder("refused");
let runs = 0;
const run = (progress = watcher()) => runPrices(root, { nowMs: RUN_INSTANT_MS + ++runs, progress });

/** What a run calls when nothing is refused. */
let calls: readonly string[];

beforeAll(async () => {
  for (let each = 0; each < SNAPSHOTS_KEPT; each++) await run();
  disk.calls = [];
  await run();
  calls = [...disk.calls];
});

afterEach(() => {
  [disk.refused, disk.error] = [undefined, undefined];
});

/** The notices of a run that publishes although the disk refuses one call. */
async function noticesWithout(call: number): Promise<readonly string[]> {
  const progress = watcher();
  [disk.calls, disk.refused] = [[], call];
  await run(progress);
  disk.refused = undefined;
  return progress.notices;
}

const refusal = (message: string, code: string, syscall?: string) =>
  Object.assign(new Error(message), { code, syscall });

test.each([
  [`the snapshots in "${root}" cannot be read or written: EIO: i/o error, mkdir`, undefined],
  [
    "the system starts no more threads (said so): raise the limit of processes and threads",
    refusal("said so", "ERR_WORKER_INIT_FAILED"),
  ],
  [`the disk of "${root}" is full`, refusal("said so", "ENOSPC")],
  ["the disk quota is used up", refusal("said so", "EDQUOT")],
  ["said so", refusal("said so", "EHOSTUNREACH")],
  [
    "the folder that this command was started in is gone: start it in another one",
    refusal("ENOENT: no such file or directory, uv_cwd", "ENOENT", "uv_cwd"),
  ],
])("a run whose calls are all refused says in one line: %s", async (line, error) => {
  [disk.refused, disk.error] = ["all", error];
  const { code, err } = await runCommand("pipeline", "--source", "demo", "--out", root);
  expect([code, err]).toEqual([1, `error: ${line}\n`]);
});

describe("a published snapshot", () => {
  test("that the disk does not confirm is in force, with a notice", async () => {
    const rename = calls.indexOf("rename", calls.indexOf("rename") + 1); // the second is that of CURRENT
    const notices = await noticesWithout(rename + 2);
    const id = basename((await findCurrent(root))!);
    expect(readFileSync(join(root, "CURRENT"), "utf8")).toBe(`${id}\n`);
    expect(notices).toEqual([
      `"${id}" is in force, but the disk does not confirm that it stays so after a power loss (EIO)`,
    ]);
  });

  test("beside which nothing can be pruned is in force, with a notice", async () => {
    const notices = await noticesWithout(calls.lastIndexOf("scandir"));
    expect(notices).toEqual(["old snapshots cannot be removed: EIO: i/o error, scandir"]);
    await run();
    expect(await listSnapshotIds(root)).toHaveLength(SNAPSHOTS_KEPT);
    expect(readdirSync(root).filter((name) => name.startsWith(UNFINISHED_PREFIX))).toEqual([]);
  });
});
