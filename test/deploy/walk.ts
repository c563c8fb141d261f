/**
 * The walk: every command of docs/run.md up to its upgrade, as printed and in its order. Takes minutes: `make walk`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HOST, sectionsOf, Walk, WALK_MS } from "./machine.ts";
import { untilItPasses } from "../support/until.ts";

const BEFORE: Readonly<Record<string, (walk: Walk) => unknown>> = {
  Install: (walk) => walk.publish("HEAD"),
  "First answer": (walk) => walk.openAccount(),
};

/** What a section has to come to. */
const AFTER: Readonly<Record<string, (said: string, walk: Walk) => unknown>> = {
  "Nightly run": (_, { exchange }) => expect(exchange.requests.join()).toContain("klines"),
  Serve: (said) => expect(said).toContain('"status":"ready"'),
  TLS: (said) => expect(said).toContain('"status":"ready"'),
  "First answer": async (said, walk) => {
    expect(new URL(walk.box.link).origin).toBe(`https://${HOST}`);
    expect(said).toContain('"synthetic":false');
    expect(said).toContain("hs_test_");
    await worksForCustomers(walk);
  },
  Alerts: (said) =>
    expect(said).toMatch(/"ServerDown"[^}]*\},"annotations":\{[^}]*\},"state":"firing"/),
  "Back up": (said) => {
    for (const email of ["ann", "trader"]) expect(said).toContain(`${email}@example.com`);
  },
};

/** A backtest, a study and a check come to a result as the user that the service runs as. */
async function worksForCustomers(walk: Walk): Promise<void> {
  const command = (line: string) => walk.follow(`cd /opt/hindsight && hindsight ${line}\n`);
  const made = await command("accounts create --email jobs@example.com --plan scale");
  const [key = ""] = /hs_live_\w+/.exec(made) ?? [];
  const ask = async (path: string, ...more: readonly string[]) => {
    const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json", ...more];
    const lines = headers.map((line) => `-H '${line}'`).join(" ");
    return await walk.follow(`curl -fsS ${lines} 'http://127.0.0.1:8080/v1/${path}\n`);
  };
  const dates = { coin: "btc", start_date: "2025-01-01" };
  const jobs = {
    backtests: { strategy: "ma_cross", ...dates },
    studies: { strategy: "ma_cross", ...dates, parameters: { fast: [5, 10], slow: [20, 50] } },
  };
  for (const [kind, body] of Object.entries(jobs)) {
    const accepted = await ask(`${kind}' -d '${JSON.stringify(body)}'`);
    const [, id = ""] = /"job_id":(\d+)/.exec(accepted) ?? [];
    await untilItPasses(async () =>
      expect(await ask(`${kind}/${id}'`)).toContain('"status":"done"'),
    );
  }
  const rows = Array.from({ length: 300 }, (_, day) => {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},${Math.sin(day * 12.9898) / 50}`;
  });
  writeFileSync(join(walk.root, "returns.csv"), `date,return\n${rows.join("\n")}\n`);
  const report = await ask(
    `check?n_trials=5' --data-binary @${walk.root}/returns.csv`,
    "Content-Type: text/csv",
  );
  expect(report).toContain('"verdict"');
}

test("every command of docs/run.md does what the page says", { timeout: WALK_MS }, async () => {
  const sections = sectionsOf(readFileSync("docs/run.md", "utf8").split("\n## Upgrade\n")[0]!);
  expect(sections.map(({ title }) => title)).toEqual(
    expect.arrayContaining([...Object.keys(BEFORE), ...Object.keys(AFTER)]),
  );
  const walk = await Walk.begin();
  onTestFinished(() => walk.end(), WALK_MS);
  for (const { title, blocks } of sections) {
    await BEFORE[title]?.(walk);
    let said = "";
    for (const block of blocks) said += await walk.follow(block);
    await AFTER[title]?.(said, walk);
  }
});
