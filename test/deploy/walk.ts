/**
 * The walk: every command of docs/run.md up to its upgrade, as printed and in its order. Takes minutes: `make walk`.
 */
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { HOST, sectionsOf, Walk, WALK_MS } from "./machine.ts";

const BEFORE: Readonly<Record<string, (walk: Walk) => unknown>> = {
  Install: (walk) => walk.publish("HEAD"),
  "First answer": (walk) => walk.openAccount(),
};

/** What a section has to come to. */
const AFTER: Readonly<Record<string, (said: string, walk: Walk) => unknown>> = {
  "Nightly run": (_, { exchange }) => expect(exchange.requests.join()).toContain("klines"),
  Serve: (said) => expect(said).toContain('"status":"ready"'),
  TLS: (said) => expect(said).toContain('"status":"ready"'),
  "First answer": (said, { box }) => {
    expect(new URL(box.link).origin).toBe(`https://${HOST}`);
    expect(said).toContain('"synthetic":false');
    expect(said).toContain("hs_test_");
  },
  Alerts: (said) =>
    expect(said).toMatch(/"ServerDown"[^}]*\},"annotations":\{[^}]*\},"state":"firing"/),
  "Back up": (said) => {
    for (const email of ["ann", "trader"]) expect(said).toContain(`${email}@example.com`);
  },
};

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
