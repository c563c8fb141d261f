import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RedisChild } from "../../scripts/faults/redis-child.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith, run } from "../support/deploy-tools.ts";

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
