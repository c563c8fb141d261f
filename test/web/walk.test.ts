import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { siteDataOf } from "../../server/pages/site-data.ts";
import type * as Claims from "../../web/claim.ts";
import { renderPath } from "../../web/site.tsx";
import { docsInProcess } from "../support/pages-in-process.ts";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";

/** What was said by way of a claim, and what was said plainly. */
const said = vi.hoisted(() => ({ claims: new Set<string>(), plain: new Set<string>() }));

vi.mock("../../web/claim.ts", async (original) => {
  const real = await original<typeof Claims>();
  return {
    claim: (of: Parameters<typeof real.claim>[0]) => {
      const sentence = real.claim(of);
      said.claims.add(sentence);
      return sentence;
    },
    plain: (words: string) => {
      said.plain.add(words);
      return words;
    },
  };
});

const site = siteDataOf(
  marketSnapshot(undefined, [{ ticker: "btc", name: "Bitcoin", firstDay: FIRST_DAY, days: 900 }]),
  new Set(["btc"]),
);
const [template] = site.dataset().picks.map((pick) => pick.template);

const PATHS = [
  "/",
  "/check",
  "/index",
  "/dataset",
  "/dataset/coins/btc",
  `/dataset/strategies/${template}`,
  "/coins",
  "/coins/btc",
  "/strategies",
  `/strategies/${template}`,
  `/strategies/${template}/btc_1.8_2_100`,
  "/luck/1.8_2_100",
];

/** Headings that ask or name, and are the same whatever the data are. */
const FIXED = new Set([
  "How much of a good backtest is luck?",
  "Would luck do this, too?",
  "How much of this is luck?",
  "The bar that luck sets rises with every try", // arithmetic
]);

/** Words that compare or judge. A plain title has none, unless it says beside it what luck makes. */
const JUDGING =
  /\b(more|less|better|worse|higher|lower|best|worst|most|gone|lasts|shrinks|decided|clearly|always|never|works?)\b/;
/** A figure, but for one that is part of a name, such as "POST /v2". */
const FIGURE = /(?<![\w/])\d/;
const BESIDE_LUCK = /\b(luck|fixed blindly|shuffled|over all)\b/;

const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'")
    .trim();

const allOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, inner]) => wordsOf(inner!));

/** The names of the tiles, each with what luck makes of it. */
const tilesOf = (html: string) =>
  [...html.matchAll(/<dl class="tiles">(.*?)<\/dl>/gs)].flatMap(([, tiles]) =>
    [...tiles!.matchAll(/<dt>(.*?)<\/dt>/gs)].map(([, name]) => name!),
  );

test.each(PATHS)(
  "every heading, chart title and tile of %s is a claim or a plain count",
  (path) => {
    said.claims.clear();
    said.plain.clear();
    const html = renderPath(path, "html", site);
    const titles = [
      ...allOf(html, /<h1[^>]*>(.*?)<\/h1>/gs),
      ...allOf(html, /<figcaption><b>(.*?)<\/b>/gs),
    ];
    expect(titles.length).toBeGreaterThan(0);
    const names = [/Bitcoin/, /^\d+ well-known rules/, /^What became of the best backtests o[fn] /];
    const isName = (title: string) =>
      FIXED.has(title) ||
      names.some((name) => name.test(title)) ||
      site.templates().some((each) => each.title === title);
    const free = titles.filter((title) => !said.claims.has(title) && !isName(title));
    expect(free.filter((title) => !said.plain.has(title))).toEqual([]);
    expect(free.filter((title) => JUDGING.test(title) && !BESIDE_LUCK.test(title))).toEqual([]);
    expect(tilesOf(html).filter((tile) => !tile.includes('class="detail"'))).toEqual([]);
  },
);

test("a page of data says once, below its first chart’s title, which coins are missing", () => {
  for (const path of ["/", "/index", "/dataset", "/coins", "/strategies"])
    expect(renderPath(path, "html", site)).toContain("those that died are missing");
});

describe("the documentation", () => {
  /** Names that have a figure or such a word, and claim nothing. */
  const NAMES = [
    /^\d+\.\d+\.\d+$|^From \d+\.\d+\.\d+$/, // versions
    /^In short: false skill \/ found at 1 \/ found at 2$/, // the columns of a table
    /^The dataset: what became of the best backtests/,
  ];
  const isFree = (title: string) =>
    (FIGURE.test(title) || JUDGING.test(title)) &&
    !BESIDE_LUCK.test(title) &&
    !NAMES.some((name) => name.test(title));

  test("has no heading that claims a figure or judges", async () => {
    let count = 0;
    for (const [path, page] of docsInProcess()) {
      if (path.endsWith(".json")) continue;
      const html = String(await (await page.body()).plain());
      const titles = allOf(html, /<h[123][^>]*>(.*?)<\/h[123]>/gs).map((title) =>
        title.replace(/^#|#$/g, ""),
      );
      count += titles.length;
      expect(titles.filter(isFree), `of ${path}`).toEqual([]);
    }
    expect(count).toBeGreaterThan(300);
  });

  test("has no picture whose title judges without what it was chosen from, or what luck makes", () => {
    const folder = join(import.meta.dirname, "../../docs/pictures");
    const titles = readdirSync(folder)
      .filter((name) => name.endsWith(".svg"))
      .flatMap((name) => {
        const svg = readFileSync(join(folder, name), "utf8");
        return allOf(
          svg,
          /<(?:text|title)[^>]*(?:caption"|-title")[^>]*>(.*?)<\/(?:text|title)>/gs,
        );
      });
    expect(titles.length).toBeGreaterThan(5);
    expect(
      titles.filter(
        (title) => isFree(title) && !/\bof \d+ settings\b|^What 1,000 became/.test(title),
      ),
    ).toEqual([]);
  });
});
