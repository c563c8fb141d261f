import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core");

/** What axe finds against WCAG 2.2 AA: the rule with the elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger's protocol, because the page's policy allows no script of ours.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = (await page.evaluate(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
  )) as { violations: { id: string; nodes: { html: string }[] }[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
