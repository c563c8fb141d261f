import { expect, test, vi } from "vitest";
import { siteDataOf } from "../../server/pages/site-data.ts";
import { renderPath } from "../../web/site.tsx";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";

/** What was said by way of a claim, and what was said plainly. */
const said = vi.hoisted(() => ({ claims: new Set<string>(), plain: new Set<string>() }));

vi.mock("../../web/claim.ts", async (original) => {
  const real = await original<typeof import("../../web/claim.ts")>();
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
];

/** Headings that ask or name, and are the same whatever the data are. */
const FIXED = new Set([
  "How much of a good backtest is luck?",
  "Would luck do this, too?",
  "The bar that luck sets rises with every try", // arithmetic
]);

/** Words that compare or judge. A plain title has none, unless it says beside it what luck makes. */
const JUDGING =
  /\b(more|less|better|worse|higher|lower|best|worst|most|gone|lasts|shrinks|decided|clearly|always|never|works?)\b/;
const BESIDE_LUCK = /\b(luck|fixed blindly|shuffled|over all)\b/;

const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&")
    .trim();

const allOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, inner]) => wordsOf(inner!));

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
    for (const tile of html.matchAll(/<dt>(.*?)<\/dt><dd>/gs))
      if (html.includes('class="tiles"'))
        expect(tile[1], "a tile says what luck makes of it").toContain('class="detail"');
  },
);

test("a page of data says once, below its first chart’s title, which coins are missing", () => {
  for (const path of ["/", "/index", "/dataset", "/coins", "/strategies"])
    expect(renderPath(path, "html", site), path).toContain("those that died are missing");
});
