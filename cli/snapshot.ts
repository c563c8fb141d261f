import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import { dateOfDay } from "../quant/calendar.ts";
import { findCurrent, listSnapshotIds } from "../snapshots/folder.ts";
import { takeLock } from "../snapshots/lock.ts";
import { type Manifest, readManifest } from "../snapshots/manifest.ts";
import { pullSnapshot } from "../snapshots/pull.ts";
import { SNAPSHOTS_KEPT, pruneSnapshots, removeLeftovers } from "../snapshots/prune.ts";
import { SnapshotError } from "../snapshots/snapshot-error.ts";
import { verifySnapshot } from "../snapshots/verified-files.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { wholeNumber } from "./option-values.ts";
import { jsonOption, snapshotsOption, settable } from "./shared-options.ts";
import { progressLine } from "./progress-line.ts";
import { printed, printTable } from "./text-table.ts";
import { UsageError } from "./usage-error.ts";

interface Options {
  readonly snapshots: string;
  readonly json?: true;
}

interface PruneOptions extends Options {
  readonly keep: number;
}

interface FetchOptions extends Options {
  readonly id?: string;
  readonly keyFile?: string;
  readonly key?: string;
}

/** `hindsight snapshot list | verify | prune | pull`. */
export function snapshotCommand(): Command {
  const command = new Command("snapshot");
  command
    .command("list")
    .description("every published snapshot, the newest run first")
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(list);
  command
    .command("verify")
    .description("recompute every checksum of a snapshot (default: the current one)")
    .argument("[id]", "name of a snapshot, or all")
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(verify);
  command
    .command("pull")
    .description("fetch the current snapshot of a server, and make it the current one here")
    .argument("<url>", "https://host/v1/snapshots, or any copy of a folder of snapshots")
    .addOption(snapshotsOption())
    .option("--id <id>", "this snapshot, even if it is older than the one here")
    .option("--key-file <file>", "a file with your key")
    .addOption(settable("--key <key>", "your key; better by a file or HINDSIGHT_KEY"))
    .addOption(jsonOption())
    .action(pull);
  command
    .command("prune")
    .description("remove old snapshots, but neither the current one nor the last whole one")
    .addOption(snapshotsOption())
    .addOption(
      settable("--keep <number>", "how many of the newest stay")
        .default(SNAPSHOTS_KEPT)
        .argParser(wholeNumber(1)),
    )
    .addOption(jsonOption())
    .action(prune);
  return command;
}

function needFolder(root: string): void {
  if (!existsSync(root)) throw new SnapshotError(`there is no folder "${root}"`);
}

async function list({ snapshots: root, json }: Options): Promise<void> {
  needFolder(root);
  const current = await findCurrent(root);
  const rows = [];
  for (const id of await listSnapshotIds(root)) {
    const dir = join(root, id);
    rows.push({ id, current: dir === current, ...(await describe(dir)) });
  }
  if (json === true) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  if (rows.length === 0) {
    console.log(`no snapshot in "${root}"`);
    return;
  }
  const lines = rows.map((row) => [row.current ? "*" : "", row.id, ...cellsOf(row)]);
  printTable(["", "snapshot", "coins", "source", "size"], lines);
}

function cellsOf(row: Awaited<ReturnType<typeof describe>>): string[] {
  if ("problem" in row) return ["", `damaged: ${row.problem}`];
  const source = row.synthetic ? `${row.source} (synthetic)` : row.source;
  return [String(row.coins), source, `${(row.bytes / 1e6).toFixed(1)} MB`];
}

async function describe(dir: string) {
  try {
    return factsOf(await readManifest(dir));
  } catch (error) {
    if (error instanceof SnapshotError) return { problem: error.message };
    throw error;
  }
}

function factsOf({ asOf, createdAt, source, synthetic, coins, files }: Manifest) {
  return {
    as_of: dateOfDay(asOf),
    created_at: createdAt,
    source,
    synthetic,
    coins: coins.length,
    bytes: files.reduce((total, file) => total + file.bytes, 0),
  };
}

async function verify(id: string | undefined, { snapshots: root, json }: Options): Promise<void> {
  needFolder(root);
  const named = id === "all" ? await listSnapshotIds(root) : id === undefined ? [] : [id];
  const ids = named.length > 0 ? named : [basename(await currentSnapshot(root))];
  const results = [];
  for (const name of ids)
    results.push({ id: name, problems: await verifySnapshot(join(root, name)) });
  if (json === true) console.log(JSON.stringify(results, null, 2));
  for (const { id: name, problems } of results) {
    if (json !== true && problems.length === 0) console.log(`${name}: whole`);
    for (const problem of problems) console.error(`${name}: ${problem}`);
  }
  if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}

async function pull(url: string, options: FetchOptions): Promise<void> {
  const { snapshots: root, id, keyFile, json } = options;
  if (!/^https?:\/\//.test(url))
    throw new UsageError(`<url> begins with https:// or http://, got "${url}"`);
  const key = keyFile === undefined ? options.key : readFileSync(keyFile, "utf8").trim();
  const startedMs = performance.now();
  let toldMs = startedMs;
  const onBytes = (done: number, all: number) => {
    const now = performance.now();
    if (now - toldMs < 1000 && done < all) return;
    toldMs = now;
    const left = ((now - startedMs) / done) * (all - done);
    progressLine(
      `${(done / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB, ${Math.ceil(left / 1000)} s left`,
    );
  };
  const report = (message: string) => console.error(`warning: ${message}`);
  const pulled = await pullSnapshot({ root, url, id, key, report, onBytes });
  const text = pulled.isNew
    ? `${pulled.id} is the current snapshot now`
    : `up to date: ${pulled.id}`;
  console.log(printed({ json }, pulled, text));
}

async function prune({ snapshots: root, keep, json }: PruneOptions): Promise<void> {
  needFolder(root);
  const lock = await takeLock(root);
  try {
    const report = (message: string) => {
      console.error(`error: ${message}`);
      process.exitCode = 1;
    };
    removeLeftovers(root, report);
    const removed = await pruneSnapshots(root, keep, report);
    const text = removed.length === 0 ? "nothing to remove" : `removed ${removed.join(", ")}`;
    console.log(printed({ json }, { removed }, text));
  } finally {
    lock.release();
  }
}
