import { expect, test } from "vitest";
import { DailyPages } from "../../../server/pages/daily-pages.ts";
import { snapshotTexts } from "../../../server/pages/site-data.ts";
import { CompressedBody } from "../../../server/http/compressed-body.ts";
import { pathsOf } from "../../../web/paths.ts";
import { subjectsOf } from "../../../server/pages/snapshot-pages.ts";
import { AS_OF, marketSnapshot } from "../../support/server-market.ts";

const DAY_MS = 86_400_000;

function pagesAt(clock: { ms: number }) {
  const made: (number | undefined)[] = [];
  const stopped: number[] = [];
  const pages = new DailyPages(
    AS_OF,
    () => clock.ms,
    (staleDays) => {
      const number = made.push(staleDays);
      return {
        body: (path) => CompressedBody.from(`${path} ${staleDays}`),
        start: () => {},
        stop: async () => void stopped.push(number),
      };
    },
  );
  const text = async (path: string) => String(await (await pages.body(path)).plain());
  return { made, stopped, text };
}

test("pages of old prices are made anew with each day, and others are not", async () => {
  const clock = { ms: (AS_OF + 1) * DAY_MS };
  const { made, stopped, text } = pagesAt(clock);
  for (const hours of [0, 20, 47.9]) {
    clock.ms = (AS_OF + 1) * DAY_MS + hours * 3_600_000;
    expect(await text("/")).toBe("/ undefined");
  }
  expect(made, "up to two days are fresh").toEqual([undefined]);
  clock.ms = (AS_OF + 3) * DAY_MS;
  expect(await text("/")).toBe("/ 3");
  clock.ms += DAY_MS - 1;
  expect(await text("/coins")).toBe("/coins 3");
  clock.ms += 1;
  expect(await text("/coins")).toBe("/coins 4");
  clock.ms = (AS_OF + 365) * DAY_MS;
  expect(await text("/coins")).toBe("/coins 365");
  expect(made).toEqual([undefined, 3, 4, 365]);
  expect(stopped).toEqual([1, 2, 3]);
});

const SNAPSHOT = marketSnapshot();
const about = { publicUrl: "http://api.test", withholdsPrices: false };

test("every page says a year later when prices end, and none of fresh ones", () => {
  const [old, fresh] = [365, undefined].map((staleDays) =>
    snapshotTexts(SNAPSHOT, { ...about, staleDays }),
  );
  const paths = pathsOf(subjectsOf(SNAPSHOT, false)).filter((path) => !path.endsWith(".json"));
  for (const path of paths) {
    expect([path, old!(path).includes("Prices end on 18 June 2022, 365 days ago")]).toEqual([
      path,
      true,
    ]);
    expect([path, fresh!(path).includes("Prices end on")]).toEqual([path, false]);
  }
});

test("the board dates its headline, and neither counts nor mixes in coins that have ended", () => {
  const page = snapshotTexts(SNAPSHOT, about)("/coins");
  const [counted, ended] = page.split("<details>");
  expect(page).not.toContain("Today ");
  expect(counted).toMatch(/At the close of 18 June 2022, \d of 4 coins were rated a buy/);
  expect(counted).not.toContain("/coins/old");
  expect(ended).toContain("Coins whose prices have ended: 1");
  expect(ended).toContain("/coins/old");
  expect(ended).toContain("2022-06-08");
});
