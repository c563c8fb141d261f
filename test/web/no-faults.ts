import type { Page } from "playwright-core";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { drawingOf } from "../support/page-drawing.ts";
import { faultsOf, textFaults } from "../support/seen-page.ts";

export type Look = readonly [width: number, scheme: "light" | "dark"];

/** Expects that nothing is wrong with the look of a page; `name` is that of its screenshot. */
export async function expectNoFaults(page: Page, name: string, ...looks: Look[]): Promise<void> {
  for (const [width, scheme] of looks)
    expect(await faultsOf(page, name, width, scheme), `${name}, ${width} px, ${scheme}`).toEqual(
      [],
    );
}

/** What is wrong with the texts of charts and tables in a look. */
export async function textFaultsAt(page: Page, [width, colorScheme]: Look) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  return (await textFaults(page)).map((fault) => `${width}, ${colorScheme}: ${fault}`);
}

const DOCS = join(import.meta.dirname, "../../docs");

/** What is read in a picture; where its lines break depends on the fonts of a machine. */
function wordsOf(svg: string): string {
  const texts = svg.replace(/<style>.*?<\/style>/s, "").replaceAll(/<[^>]+>/g, " ");
  return texts.replaceAll(/\s+/g, " ").trim();
}

/** Expects that a file of `docs/` shows a part of a page as it is now, in a picture below a size. */
export async function expectDrawn(
  page: Page,
  selector: string,
  [name, doc]: readonly [name: string, doc: string],
  bytesMax: number,
): Promise<void> {
  const path = join(DOCS, "pictures", `${name}.svg`);
  const drawn = await drawingOf(page, selector);
  if (process.env["HINDSIGHT_GOLDEN"] === "write") writeFileSync(path, drawn);
  const kept = readFileSync(path, "utf8");
  expect(wordsOf(kept), `${path} is rewritten with HINDSIGHT_GOLDEN=write`).toBe(wordsOf(drawn));
  expect(kept.length).toBeLessThan(bytesMax);
  expect(readFileSync(join(DOCS, doc), "utf8")).toContain(`](pictures/${name}.svg)`);
}
