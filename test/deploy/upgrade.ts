/**
 * The upgrade from 1.0.0 to this version and the way back, by the commands of docs/changes.md and docs/run.md as printed.
 * 1.0.0 is the commit of that version, with another state file and another format of snapshots, installed as its own page
 * says. Takes minutes: `make walk`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/deploy-tools.ts";
import { untilItPasses } from "../support/until.ts";
import { sectionsOf, Walk, WALK_MS } from "./machine.ts";

const FIRST = "d1503f2e34e3ed8d14983183fb86dfbb59190ad6";

/** The command of 1.0.0, where this version installs one of its own. */
const COMMAND = "cd /opt/hindsight && node dist/scripts/hindsight.js";

function blocksOf(file: string, title: string): readonly string[] {
  const text = readFileSync(file, "utf8").replaceAll(/^### /gm, "## ");
  return sectionsOf(text).find((section) => section.title === title)?.blocks ?? [];
}

/** Writes the units that the page of 1.0.0 prints, with settings of this machine. */
function installUnits(walk: Walk): void {
  const page = walk.git("show", "v1.0.0:docs/run.md");
  const own = [
    `HINDSIGHT_PORT=${walk.ports.server} HINDSIGHT_METRICS_PORT=${walk.ports.metrics}`,
    `HINDSIGHT_EXCHANGE_URL=${walk.exchange.url} HINDSIGHT_BOARD=${walk.root}/board.json`,
  ].join(" ");
  const units = page.split(/^(?=# \/etc\/systemd\/system\/)/m).slice(1);
  expect(units).toHaveLength(3);
  for (const unit of units) {
    const [, name = ""] = /^# \S+\/(\S+)\n/.exec(unit) ?? [];
    const text = walk.printed(unit.split("\n```")[0]!);
    const set = text.replace("[Service]\n", `[Service]\nEnvironment=${own}\n`);
    writeFileSync(join(walk.root, "etc/systemd/system", name), `${set}\n`);
  }
}

/** What the server says of the account whose key it is. */
function usage(walk: Walk, key: string): Promise<string> {
  const origin = "curl -fsS --retry 9 --retry-connrefused http://127.0.0.1:8080";
  return walk.follow(`${origin}/readyz\n${origin}/v1/usage -H 'Authorization: Bearer ${key}'\n`);
}

test("1.0.0 becomes this version and comes back", { timeout: WALK_MS }, async () => {
  const walk = await Walk.begin();
  onTestFinished(() => walk.end(), WALK_MS);
  const { status, said } = run("git", [
    "clone",
    "-q",
    "--no-checkout",
    ".",
    join(walk.root, "repository"),
  ]);
  if (status !== 0) throw new Error(said);
  walk.git("tag", "v1.0.0", FIRST); // a clone without history (--depth) cannot walk this

  await walk.follow(`git clone ADDRESS /opt/hindsight
git -C /opt/hindsight checkout v1.0.0
cd /opt/hindsight
make build
install -d -m 755 snapshots/data && install -d -m 700 state\n`);
  installUnits(walk);
  await walk.follow(`systemctl daemon-reload && systemctl start hindsight-pipeline
systemctl enable --now hindsight hindsight-pipeline.timer\n`);
  const made = await walk.follow(
    `${COMMAND} accounts create --email trader@example.com --plan developer --json\n`,
  );
  const [key = ""] = /hs_live_\w+/.exec(made) ?? [];
  expect(await usage(walk, key)).toContain('"plan":"developer"');
  expect(await walk.version()).toBe("1.0.0");

  walk.publish("v1.1.0");
  for (const block of blocksOf("docs/changes.md", "From 1.0.0")) await walk.follow(block);
  for (const block of blocksOf("docs/run.md", "Upgrade")) await walk.follow(block);
  expect(await usage(walk, key)).toContain('"plan":"developer"');
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  await untilItPasses(async () => expect(await walk.version()).toBe(version));
  expect(await walk.follow("hindsight accounts list\n")).toContain("trader@example.com");
  expect(await walk.follow("hindsight snapshot list\n")).not.toContain("damaged");

  const [back = ""] = blocksOf("docs/run.md", "Go back");
  await walk.follow(back.replace(/^cp -r .*\n/m, "")); // 1.0.0 has no units to copy, as the page says
  expect(await usage(walk, key)).toContain('"plan":"developer"');
  expect(await walk.version()).toBe("1.0.0");
  const price = `curl -fsS 'http://127.0.0.1:8080/v1/signals?coin=btc' -H 'Authorization: Bearer ${key}'\n`;
  expect(await walk.follow(price)).toContain('"synthetic":false');
});
