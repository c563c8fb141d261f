import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RedisChild } from "../../scripts/faults/redis-child.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith, run } from "../support/deploy-tools.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FILE = "deploy/compose.yaml";
const TEXT = readFileSync(FILE, "utf8");
const SERVICES = ["pipeline", "proxy", "redis", "server", "worker"];
const VOLUMES = ["caddy", "redis", "snapshots"];

/** What follows a name in the file, of each place. */
function valuesOf(name: string): readonly string[] {
  return Array.from(TEXT.matchAll(new RegExp(`^ +${name}: (.+)$`, "gm")), ([, value]) => value!);
}

function composed(site: string, ...args: readonly string[]) {
  return run("docker-compose", ["-f", FILE, ...args], { SITE: site });
}

describeWith("docker-compose")("the compose file", () => {
  test("is one, with these services and volumes", () => {
    const { status, said } = composed("api.example.com", "--profile", "nightly", "config");
    expect(said).toContain("HINDSIGHT_PUBLIC_URL: https://api.example.com");
    expect(status).toBe(0);
    for (const name of [...SERVICES, ...VOLUMES])
      expect(said).toMatch(new RegExp(`^  ${name}:`, "m"));
  });

  test("says which setting is missing", () => {
    const { status, said } = composed("", "config");
    expect(said).toContain("the name of your host");
    expect(status).not.toBe(0);
  });
});

test("what the containers mount is a volume of the file, or a file beside it", () => {
  const mounted = valuesOf("volumes").flatMap((list) => JSON.parse(list) as string[]);
  const sources = mounted.map((mount) => mount.split(":")[0]!);
  expect(new Set(sources)).toEqual(new Set([...VOLUMES, "./Caddyfile"]));
  expect(existsSync(join("deploy", "Caddyfile"))).toBe(true);
  const [, dockerfile = "none"] = /dockerfile: (\S+) \}/.exec(TEXT) ?? [];
  expect(existsSync(dockerfile)).toBe(true);
});

test("commands, options and settings are those of the program", () => {
  const commands = valuesOf("command").filter((command) => !command.startsWith("redis-server"));
  expect(commands.map((command) => command.split(" ")[0])).toEqual(["serve", "work", "pipeline"]);
  const help = commands.map((command) => {
    const [name = "", ...options] = command.split(" ");
    const { said } = run("node", [HINDSIGHT, name, "--help"]);
    for (const option of options.filter((each) => each.startsWith("--"))) {
      expect(said, `of ${name}`).toContain(option);
    }
    return said;
  });
  const settings = new Set(TEXT.match(/\bHINDSIGHT_\w+(?=: )/g));
  expect(settings.size).toBeGreaterThan(3);
  for (const setting of settings)
    expect(help.join("")).toMatch(new RegExp(`env:\\s+${setting}\\b`));
});

describeWith("redis-server")("its Redis", () => {
  test("takes the settings, and forces what it appends to the disk every second", async () => {
    const [, text = ""] = /command: redis-server (.+)/.exec(TEXT) ?? [];
    const pairs = Array.from(text.matchAll(/--(\S+) (\S+)/g), ([, name, value]) => [name, value]);
    const redis = await RedisChild.start(Object.fromEntries(pairs) as Record<string, string>);
    const client = redis.client();
    try {
      for (const [name, value] of pairs) expect(await client.config("GET", name!)).toContain(value);
      expect(await client.config("GET", "appendfsync")).toContain("everysec");
    } finally {
      client.disconnect();
      await redis.remove();
    }
  });
});

/** The blocks of docs/run.md on containers. */
function printed(language: string): readonly string[] {
  const [, text = ""] = readFileSync("docs/run.md", "utf8").split("\n## Containers\n");
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms")),
    ([, block]) => block!,
  );
}

/** A folder of commands that stand for others. */
function standIns(commands: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("stand-ins");
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 });
  }
  return { folder, env: { PATH: `${folder}:${process.env["PATH"]}`, FOLDER: folder } };
}

test("the nightly run of cron is tried eight times, and no longer once it is done", () => {
  const [, line = ""] = /^10 0 \* \* \* root (.+)$/m.exec(printed("cron").join("")) ?? [];
  const calls = 'echo "$*" >> "$FOLDER/calls"; [ "$(wc -l < "$FOLDER/calls")" -ge "$DONE_AT" ]';
  for (const [doneAt, tries, end] of [
    [1, 1, 0],
    [3, 3, 0],
    [9, 8, 1],
  ]) {
    const { folder, env } = standIns({ docker: calls, sleep: "" });
    expect(run("sh", ["-c", line], { ...env, DONE_AT: `${doneAt}` }).status).toBe(end);
    const made = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
    expect(made).toHaveLength(tries!);
    expect(made[0]).toContain("run --rm pipeline");
  }
});

describeWith("redis-server")("the printed backup of the containers", () => {
  test("has the layout that deploy/restore.sh reads", async () => {
    const redis = await RedisChild.start();
    const client = redis.client();
    const [backup = ""] = printed("sh").filter((block) => block.includes("--rdb"));
    const docker = `while [ "$1" != -T ]; do shift; done
case "$2" in redis) shift 2; redis-cli -p ${new URL(redis.address).port} "\${@:2}" ;; server) shift 2; cd "$FOLDER" && "$@" ;; esac`;
    const { folder, env } = standIns({ docker });
    mkdirSync(join(folder, "snapshots/data/one"), { recursive: true });
    for (const [name, text] of [
      ["CURRENT", "one\n"],
      ["one/manifest.json", "{}"],
    ]) {
      writeFileSync(join(folder, "snapshots/data", name!), text!);
    }
    try {
      await client.set("hs:kept", "yes");
      const here = backup.replaceAll(/\/(?:var|opt)(?=\/)/g, `${folder}$&`);
      mkdirSync(join(folder, "opt/hindsight"), { recursive: true });
      const { status, said } = run("bash", ["-euo", "pipefail", "-c", here], env);
      expect(said).not.toContain("rror");
      expect(status).toBe(0);
    } finally {
      client.disconnect();
      await redis.remove();
    }
    const [name = ""] = readdirSync(join(folder, "var/backups/hindsight"));
    expect(name).toMatch(/^\d{8}T\d{6}Z$/);
    const made = join(folder, "var/backups/hindsight", name);
    expect(run("redis-check-rdb", [join(made, "redis.rdb")]).status).toBe(0);
    expect(readFileSync(join(made, "redis.rdb"), "latin1")).toContain("hs:kept");
    expect(readFileSync(join(made, "snapshots/CURRENT"), "utf8")).toBe("one\n");
    expect(existsSync(join(made, "snapshots/one/manifest.json"))).toBe(true);
  });
});
