import { readFileSync, readdirSync, rmSync } from "node:fs";
import type * as FileSystem from "node:fs";
import type * as FileSystemPromises from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findCurrent, listSnapshotIds } from "../../snapshots/folder.ts";
import { LOCK_FILE } from "../../snapshots/lock.ts";
import { SNAPSHOTS_KEPT } from "../../snapshots/prune.ts";
import { verifySnapshot } from "../../snapshots/verify.ts";
import { runCommand } from "../support/command-line.ts";
import { PRICES_ONLY, RUN_INSTANT_MS, runSmall, watcher } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The disk refuses a call that a run makes on its folder: only that one, or all from there on. */
const disk = vi.hoisted(() => ({
  calls: [] as string[],
  /** Calls, by their number, that are refused. */
  from: Infinity,
  to: Infinity,
  /** In the place of the usual error. */
  error: undefined as Error | undefined,
  refuse(what: string): void {
    disk.calls.push(what);
    const at = disk.calls.length - 1;
    if (at < disk.from || at >= disk.to) return;
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
const run = (progress = watcher()) =>
  runSmall(root, { stages: PRICES_ONLY, nowMs: RUN_INSTANT_MS + ++runs, progress });

/** What a run calls when nothing is refused. */
let calls: readonly string[];

beforeAll(async () => {
  for (let each = 0; each < SNAPSHOTS_KEPT; each++) await run();
  disk.calls = [];
  await run();
  calls = [...disk.calls];
});

afterAll(() => {
  disk.from = Infinity;
});

interface Ended {
  readonly failure: string;
  readonly notices: readonly string[];
  /** What of the folder, afterwards, is not as the run said. */
  readonly wrong: readonly string[];
}

/** One run with these calls refused. */
async function runRefused(from: number, to: number): Promise<Ended> {
  const before = { current: await findCurrent(root), ids: await listSnapshotIds(root) };
  const progress = watcher();
  [disk.calls, disk.from, disk.to] = [[], from, to];
  const failure = await run(progress).then(
    () => "",
    (error: unknown) => String(error),
  );
  disk.from = Infinity;
  rmSync(join(root, LOCK_FILE), { force: true }); // as if this process had ended: the lock has no holder then
  const current = (await findCurrent(root))!;
  const wrong = [...(await verifySnapshot(current))];
  const isPublished = current !== before.current;
  if (isPublished !== (failure === "")) wrong.push(`published: ${isPublished}, but "${failure}"`);
  if (failure !== "" && !failure.includes("EIO")) wrong.push(failure);
  // A disk that refuses everything also refuses to take a name back: a whole snapshot stays, not in force.
  const added = (await listSnapshotIds(root)).filter((id) => !before.ids.includes(id));
  if (!isPublished && to !== Infinity && added.length > 0)
    wrong.push(`a run that failed left ${added.join()}`);
  return { failure, notices: progress.notices, wrong };
}

/** What is wrong with the folder after one more run. */
async function afterNextRun(): Promise<string[]> {
  await run();
  const kept = (await listSnapshotIds(root)).length;
  const left = readdirSync(root).filter((name) => name.startsWith("."));
  return kept === SNAPSHOTS_KEPT ? left : [...left, `${kept} snapshots are kept`];
}

test("a run that the disk refuses everything fails with one line that names the folder", async () => {
  [disk.calls, disk.from, disk.to] = [[], 0, Infinity];
  const { code, err } = await runCommand("pipeline", "--source", "demo", "--out", root);
  disk.from = Infinity;
  expect(code).toBe(1);
  expect(err).toBe(
    `error: the snapshots in "${root}" cannot be read or written: EIO: i/o error, open\n`,
  );
});

test.each([
  [
    "ERR_WORKER_INIT_FAILED",
    "the system starts no more threads (said so): raise the limit of processes and threads",
  ],
  ["ENOSPC", `the disk of "${root}" is full`],
  ["EDQUOT", "the disk quota is used up"],
  ["EHOSTUNREACH", "said so"],
])("a run that is refused with %s fails with one line", async (systemCode, line) => {
  [disk.calls, disk.from, disk.to] = [[], 0, Infinity];
  disk.error = Object.assign(new Error("said so"), { code: systemCode });
  const { code, err } = await runCommand("pipeline", "--source", "demo", "--out", root);
  [disk.from, disk.error] = [Infinity, undefined];
  expect([code, err]).toEqual([1, `error: ${line}\n`]);
});

test("a run whose folder is gone, so that no thread starts in it, fails with one line", async () => {
  [disk.calls, disk.from, disk.to] = [[], 0, Infinity];
  const words = "ENOENT: no such file or directory, uv_cwd";
  disk.error = Object.assign(new Error(words), { code: "ENOENT", syscall: "uv_cwd" });
  const { code, err } = await runCommand("pipeline", "--source", "demo", "--out", root);
  [disk.from, disk.error] = [Infinity, undefined];
  expect(code).toBe(1);
  expect(err).toBe(
    "error: the folder that this command was started in is gone: start it in another one\n",
  );
});

describe("a published snapshot", () => {
  const last = (what: string) => calls.length - 1 - [...calls].reverse().indexOf(what);

  test("that the disk does not confirm is in force, with a notice", async () => {
    const rename = calls.indexOf("rename", calls.indexOf("rename") + 1); // the second is that of CURRENT
    const { failure, notices } = await runRefused(rename + 2, rename + 3);
    expect(failure).toBe("");
    const id = basename((await findCurrent(root))!);
    expect(readFileSync(join(root, "CURRENT"), "utf8")).toBe(`${id}\n`);
    expect(notices).toEqual([
      `"${id}" is in force, but the disk does not confirm that it stays so after a power loss (EIO)`,
    ]);
  });

  test("beside which nothing can be pruned is in force, with a notice", async () => {
    const at = last("scandir");
    const { failure, notices } = await runRefused(at, at + 1);
    expect(failure).toBe("");
    expect(notices).toEqual(["old snapshots cannot be removed: EIO: i/o error, scandir"]);
    expect(await afterNextRun()).toEqual([]);
  });
});
