import { join } from "node:path";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { siteDataOf, worthBefore } from "../../../server/pages/site-data.ts";
import { openSnapshot } from "../../../snapshots/reader.ts";
import { feed } from "../../../web/feed.ts";
import type { SiteData } from "../../../web/site-data.ts";
import { worthTitle } from "../../../web/pages/worth.tsx";
import { publishDemo } from "../../support/publish-demo.ts";
import { marketSnapshot } from "../../support/server-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const site = siteDataOf(marketSnapshot(), new Set(["btc", "eth"]));
const titlesOf = (of: SiteData, coin?: string) =>
  [...feed(of, coin).matchAll(/<entry><title>(.*?)<\/title>/g)].map(([, title]) => title!);
const goneOf = (of: SiteData, coin?: string) =>
  titlesOf(of, coin).filter((title) => title.startsWith("No longer holds"));

/** The site whose index and ratings were others a month ago. */
function before(change: Partial<ReturnType<SiteData["monthBefore"]>>): SiteData {
  const same = { index: site.index(), worth: site.worth() };
  return { ...site, monthBefore: () => ({ ...same, ...change }) };
}

describe("which of last month's headlines no longer holds", () => {
  const { luck, ...index } = site.index();
  const worth = site.worth();
  const claimed = {
    ...worth,
    basis: { ...worth.basis!, p: 0.01, p_half: 0.01, p_twice: 0.01 },
    classes: worth.classes.map((of) => {
      const left = { mean_excess_pct: of.mean_excess_pct };
      return {
        ...of,
        without_coin: { ...of.without_coin, ...left },
        without_year: { ...of.without_year, ...left },
      };
    }),
  };

  test("is none while only figures have moved", () => {
    expect(goneOf(before({}))).toEqual([]);
    const moved = { ...luck, low: luck.low! - 0.5, high: luck.high! + 0.5 };
    expect(goneOf(before({ index: { ...index, luck: moved } }))).toEqual([]);
    expect(
      goneOf(before({ index: { ...index, luck: { ...luck, low: null, high: null } } })),
    ).toEqual([]);
  });

  test("names what was said and what is said now, of the index and of the ratings", () => {
    const value = index.history.at(-1)!.value!;
    const above = { ...luck, low: value - 3, high: value - 2 };
    const inside = { ...luck, low: value - 3, high: value + 2 };
    const now = { ...before({ index: { ...index, luck: above }, worth: claimed }) };
    expect(goneOf({ ...now, index: () => ({ ...index, luck: inside }) })).toEqual([
      `No longer holds: “${worthTitle(claimed)}”. Now: “No rating has told what comes next”`,
      "No longer holds: “The overfitting index is above what luck alone makes”. Now: “The overfitting index is within what luck alone makes”",
    ]);
    expect(worthTitle(claimed)).toContain("coins made 2.1 points more");
  });

  test("of a coin is the side of its trend line 30 days before the last close", () => {
    const { direction } = site.coin("btc").prices!;
    const sides = Array.from(direction, (of) => (of === 1 ? "above" : "below"));
    const [was, is] = [sides.at(-31)!, sides.at(-1)!];
    const said = `No longer holds: “BTC is ${was} its SuperTrend line”. Now: “BTC is ${is} its SuperTrend line”`;
    expect(goneOf(site, "btc")).toEqual(was === is ? [] : [said]);
    const turned = (coin: string) => {
      const data = site.coin(coin);
      const { direction: sides } = data.prices!;
      const turns = Array.from(sides, (of, day) => (day === sides.length - 31 ? -of : of));
      return { ...data, prices: { ...data.prices!, direction: turns } };
    };
    expect(goneOf({ ...site, coin: turned }, "btc")).toHaveLength(was === is ? 1 : 0);
  });

  test("what comes once a month stays, however many ratings change", () => {
    const many = Array.from({ length: 500 }, () => {
      return { coin: "btc", date: "2099-01-01", from: "buy", to: "sell" };
    });
    const titles = titlesOf({ ...site, ratingChanges: () => many });
    expect(titles).toHaveLength(200);
    expect(titles.filter((title) => title.startsWith("The overfitting index in"))).toHaveLength(1);
  });
});

test("the ratings' worth of the month before is what the pipeline published then", async () => {
  const rowsOf = async (asOf: string, night: string) => {
    const root = temporaryFolder("feed-");
    await publishDemo(root, asOf, night);
    const folder = join(root, readFileSync(join(root, "CURRENT"), "utf8").trim());
    return await openSnapshot(folder);
  };
  const then = await rowsOf("2024-05-01", "2024-05-02T00:10:00Z");
  const now = await rowsOf("2024-06-01", "2024-06-02T00:10:00Z");
  expect(then.ratingWorth[0]).toMatchObject({ month: "2024-04" });
  expect(worthBefore(now)).toEqual(then.ratingWorth);
  expect(worthBefore({ ...now, ratingWorth: [] })).toEqual([]);
});
