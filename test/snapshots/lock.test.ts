import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

const PROGRAM = `
  import { takeLock } from ${JSON.stringify(new URL("../../dist/snapshots/lock.js", import.meta.url).href)};
  try {
    await takeLock(process.argv[1]);
    console.log("taken");
    if (process.argv[2] === "stay") setInterval(() => {}, 1000);
    else process.exit();
  } catch (error) {
    console.log(error.message);
  }
`;
const program = (...args: string[]) => ["--input-type=module", "--eval", PROGRAM, ...args];

/** What another process says that takes the lock and ends. */
function another(root: string): string {
  return spawnSync(process.execPath, program(root), { encoding: "utf8" }).stdout.trim();
}

test("one process holds a lock at a time, by whatever path it came", async () => {
  const root = folder();
  const link = join(folder(), "link");
  symlinkSync(root, link);
  const lock = await takeLock(root);
  for (const path of [root, link]) {
    await expect(takeLock(path)).rejects.toThrow(SnapshotError);
    await expect(takeLock(path)).rejects.toThrow(
      `another run is writing snapshots here: process ${process.pid} holds`,
    );
    expect(another(path)).toContain(`process ${process.pid} holds`);
  }
  lock.release();
  expect(another(root)).toBe("taken");
  expect(readdirSync(root)).toEqual([LOCK_FILE]);
});

test("may be released twice, and does not release a lock that was taken since", async () => {
  const root = folder();
  const first = await takeLock(root);
  first.release();
  const second = await takeLock(root);
  first.release();
  await expect(takeLock(root)).rejects.toThrow("another run is writing");
  expect(another(root)).toContain("another run is writing");
  second.release();
});

test("a killed process leaves no lock", async () => {
  const root = folder();
  const other = spawn(process.execPath, program(root, "stay"));
  onTestFinished(() => void other.kill("SIGKILL"));
  await once(other.stdout, "data");
  await expect(takeLock(root)).rejects.toThrow(`process ${other.pid} holds`);
  other.kill("SIGKILL");
  await once(other, "exit");
  await expect(takeLock(root)).resolves.toHaveProperty("release");
});

test.each(["", "{", "DUCK"])("half a file is made anew: %j", async (text) => {
  const root = folder();
  writeFileSync(join(root, LOCK_FILE), text);
  await expect(takeLock(root)).resolves.toHaveProperty("release");
});

test.runIf(process.platform === "linux")("says that a folder cannot be written to", async () => {
  await expect(takeLock("/sys"), "not even by root").rejects.toThrow(
    'cannot write to the folder "/sys"',
  );
});
