import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { RedisChild } from "../../scripts/faults/redis-child.ts";
import { runScript } from "../../scripts/support/child-processes.ts";
import { ChildServer } from "../../scripts/support/child-server.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith, run } from "../support/deploy-tools.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SCRIPTS = [
  "deploy/backup.sh",
  "deploy/restore.sh",
  "deploy/hindsight",
  "deploy/failed.sh",
  "scripts/release.sh",
  "clients/build",
  ".ci/client-tools",
  "test/deploy/stand-ins.sh",
  ".ci/run",
  ".ci/on-node",
];
const SNAPSHOT = "2024-06-30T20240701T001000Z-0123456789";

/** Where a server of this machine would keep what is backed up. */
let folder: string;
let env: Record<string, string>;
let backups: string;

beforeEach(() => {
  folder = temporaryFolder("backed up");
  backups = join(folder, "it's the backups");
  const snapshots = join(folder, "snapshots");
  mkdirSync(join(snapshots, SNAPSHOT), { recursive: true });
  writeFileSync(join(snapshots, SNAPSHOT, "manifest.json"), "{}");
  writeFileSync(join(snapshots, "CURRENT"), `${SNAPSHOT}\n`);
  env = { HINDSIGHT_STATE: join(folder, "state.db"), HINDSIGHT_SNAPSHOTS: snapshots };
});

function emails(state: string): Promise<string> {
  return runScript(HINDSIGHT, ["accounts", "list", "--state", state]);
}

async function open(email: string, state = env["HINDSIGHT_STATE"]!): Promise<void> {
  const account = ["--email", email, "--plan", "developer", "--state", state];
  await runScript(HINDSIGHT, ["accounts", "create", ...account]);
}

/** Runs a script of `deploy/` that must not fail, and returns the last line that it prints. */
function done(script: string, args: readonly string[], more: Record<string, string> = {}): string {
  const { status, said, out } = run(resolve("deploy", script), args, { ...env, ...more });
  if (status !== 0) throw new Error(said);
  return out.trim().split("\n").at(-1) ?? "";
}

describeWith("shellcheck")("the scripts", () => {
  test("have no fault that shellcheck finds", () => {
    expect(run("shellcheck", SCRIPTS)).toMatchObject({
      status: 0,
      said: "",
    });
  });
});

describeWith("sqlite3")("a backup of the state file", () => {
  test("is made while a server runs, and restored in its place or elsewhere", async () => {
    await open("ann@example.com");
    const state = env["HINDSIGHT_STATE"]!;
    const args = ["--state", state, "--snapshots", join(folder, "none"), "--port", "0"];
    const server = await ChildServer.start({
      script: HINDSIGHT,
      args: ["serve", ...args, "--metrics-port", "none"],
    });
    let backup: string;
    try {
      await open("bob@example.com"); // in the -wal file alone
      backup = done("backup.sh", [backups]);
      await open("late@example.com");
      const { status, said } = run("deploy/restore.sh", [backup], env);
      expect(said).toContain("belongs to a running process");
      expect(status).toBe(1);
    } finally {
      await server.stop();
    }
    expect(await emails(state)).toContain("late@example.com");
    expect(done("restore.sh", [backup])).toBe(`restored from ${backup}`);
    const found = await emails(state);
    for (const email of ["ann@example.com", "bob@example.com"]) expect(found).toContain(email);
    expect(found).not.toContain("late@example.com");
    expect(readdirSync(folder).some((name) => /^state\.db\.before-\d/.test(name))).toBe(true);

    const other = {
      HINDSIGHT_STATE: join(folder, "new/x.db"),
      HINDSIGHT_SNAPSHOTS: join(folder, "new/data"),
    };
    done("restore.sh", [backup], other);
    expect(await emails(other.HINDSIGHT_STATE)).toContain("bob@example.com");
    expect(statSync(other.HINDSIGHT_STATE).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(other.HINDSIGHT_SNAPSHOTS, "CURRENT"), "utf8")).toBe(`${SNAPSHOT}\n`);
    expect(existsSync(join(other.HINDSIGHT_SNAPSHOTS, SNAPSHOT, "manifest.json"))).toBe(true);
  });

  test("that fails leaves nothing, and old ones go", async () => {
    const failed = run("deploy/backup.sh", [backups], env);
    expect(failed.said).toContain("there is no state file");
    expect(failed.status).toBe(1);
    expect(readdirSync(backups)).toEqual([]);
    await open("ann@example.com");
    for (const old of ["20200101T000000Z", "20210101T000000Z", "mine"])
      mkdirSync(join(backups, old));
    done("backup.sh", [backups], { HINDSIGHT_BACKUP_KEEP: "2" });
    const left = readdirSync(backups).sort();
    expect(left).toEqual(["20210101T000000Z", expect.stringMatching(/^20\d+T\d+Z$/), "mine"]);
    for (const wrong of ["0", "-1", "x"]) {
      expect(
        run("deploy/backup.sh", [backups], { ...env, HINDSIGHT_BACKUP_KEEP: wrong }).status,
      ).toBe(2);
    }
  });
});

describeWith("redis-server")("a backup of a Redis", () => {
  test("is made while it runs, with a password, and restored with its append-only file", async () => {
    const redis = await RedisChild.start({ appendonly: "yes" });
    let backup: string;
    try {
      const client = redis.client();
      await client.config("SET", "requirepass", "a%b/c d");
      client.disconnect();
      env["HINDSIGHT_STATE"] = redis.address.replace("//", "//:a%25b%2Fc%20d@");
      await open("ann@example.com");
      backup = done("backup.sh", [backups]);
    } finally {
      await redis.remove();
    }
    const data = join(folder, "redis");
    mkdirSync(data);
    writeFileSync(join(data, "old"), "");
    done("restore.sh", [backup, data]);
    expect(readdirSync(data)).toContain("appendonlydir");
    expect(readdirSync(folder).some((name) => name.startsWith("redis.before-"))).toBe(true);
    const restored = await RedisChild.start({ appendonly: "yes", dir: data });
    try {
      expect(await emails(restored.address)).toContain("ann@example.com");
    } finally {
      await restored.remove();
    }
  });
});
