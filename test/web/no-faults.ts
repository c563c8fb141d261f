import type { Page } from "playwright-core";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawingOf } from "../support/page-drawing.ts";
import { faultsOf, textFaults } from "../support/seen-page.ts";

export type Look = readonly [width: number, scheme: "light" | "dark"];

/** What is wrong with a page in each look; `name` is that of its screenshots. */
export async function faultsIn(page: Page, name: string, ...looks: Look[]) {
  const faults: string[] = [];
  for (const [width, scheme] of looks)
    for (const fault of await faultsOf(page, name, width, scheme))
      faults.push(`${width} px, ${scheme}: ${fault}`);
  return faults;
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

/** A part of a page as it is now, beside the picture of it that a file of `docs/` shows. */
export async function pictureOf(page: Page, selector: string, name: string, doc: string) {
  const path = join(DOCS, "pictures", `${name}.svg`);
  const drawn = await drawingOf(page, selector);
  if (process.env["HINDSIGHT_GOLDEN"] === "write") writeFileSync(path, drawn);
  const kept = readFileSync(path, "utf8");
  const isShown = readFileSync(join(DOCS, doc), "utf8").includes(`](pictures/${name}.svg)`);
  return { path, drawn: wordsOf(drawn), kept: wordsOf(kept), bytes: kept.length, isShown };
}
