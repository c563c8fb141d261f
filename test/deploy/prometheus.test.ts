import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeWith, run } from "../support/deploy-tools.ts";

const RULES = "deploy/prometheus/rules.yml";
const TEXT = readFileSync(RULES, "utf8");
const REFERENCE = readFileSync("docs/reference.md", "utf8");
const ALERTS = Array.from(TEXT.matchAll(/alert: (\w+)/g), ([, name]) => name ?? "");

describeWith("promtool")("the rules of Prometheus", () => {
  test("are rules", () => {
    const { status, said } = run("promtool", ["check", "rules", RULES]);
    expect(status).toBe(0);
    expect(said).toContain(`${ALERTS.length} rules found`);
  });

  test("are found beside the configuration", () => {
    const { status, said } = run("promtool", [
      "check",
      "config",
      "deploy/prometheus/prometheus.yml",
    ]);
    expect(said).toContain("SUCCESS");
    expect(status).toBe(0);
  });

  test("fire when they should, and not otherwise", () => {
    const { status, said } = run("promtool", ["test", "rules", "test/deploy/rules.test.yml"]);
    expect(said).toMatch(/SUCCESS\s*$/);
    expect(status).toBe(0);
  });
});

test("every alert is tried, has a severity and a summary, and is in the runbook", () => {
  const tried = readFileSync("test/deploy/rules.test.yml", "utf8");
  const [, runbook = ""] = REFERENCE.split("\n## Alerts\n");
  expect(ALERTS.length).toBeGreaterThan(5);
  for (const name of ALERTS) {
    const [, rule = ""] = TEXT.split(`alert: ${name}\n`);
    const [own = ""] = rule.split("- alert:");
    expect(own).toMatch(/severity: (page|ticket)/);
    expect(own).toMatch(/summary: \S/);
    expect(own).toMatch(/runbook_url: \S+\/docs\/reference#alerts\n/);
    expect(runbook).toContain(`\`${name}\``);
    expect(tried).toContain(`alertname: ${name}`);
  }
});

test("rules ask for metrics that the server has", () => {
  const asked = TEXT.match(/\bhindsight_\w+/g)?.map((name) => name.replace(/_bucket$/, ""));
  expect(asked?.length).toBeGreaterThan(5);
  for (const name of new Set(asked)) expect(REFERENCE).toMatch(new RegExp(`\`${name}[{\`]`));
});
