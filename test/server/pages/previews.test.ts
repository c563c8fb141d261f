import { expect, test } from "vitest";
import type { OverfittingIndex } from "../../../api/overfitting-index.ts";
import { decimal } from "../../../web/format.ts";
import { chartPathsOf, pathsOf } from "../../../web/paths.ts";
import { sharedServer } from "../../support/server-fixture.ts";

const { server, key } = await sharedServer();
const coins = new Set(["btc"]);
const SUBJECTS = { coins, priced: coins, templates: new Set(["macd_cross"]) };
const PAGES = pathsOf(SUBJECTS).filter((path) => !path.endsWith(".json"));
const CHARTS = chartPathsOf(SUBJECTS).filter((path) => path.endsWith(".svg"));
const LUCK = "/luck/1.8_2_100";
const STUDY = "/strategies/macd_cross/btc_1.8_2_100";

const at = async (path: string) => await server.get(path, undefined);
const textAt = async (path: string) => await (await at(path)).text();

/** The width and height of a PNG, and the colours that stand at its corner and in its middle rows. */
async function pictureAt(path: string) {
  const response = await at(path);
  expect([path, response.status, response.headers.get("content-type")]).toEqual([
    path,
    200,
    "image/png",
  ]);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1A\n");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), size: bytes.length };
}

test.each([...PAGES, LUCK, STUDY])(
  "the preview of %s has a picture of 1,200 x 630",
  async (path) => {
    const page = await textAt(path);
    const [, image] = /<meta property="og:image" content="http:\/\/api\.test([^"]+)"/.exec(page)!;
    const isShared = path === "/" || path === "/check";
    expect(image === "/docs/pictures/card.png").toBe(isShared);
    expect(await pictureAt(image!)).toMatchObject({ width: 1200, height: 630 });
  },
);

test("each chart has one with something drawn on it, and a page for frames, alone", async () => {
  for (const chart of CHARTS) {
    const file = chart.slice(0, -4);
    const { size } = await pictureAt(`${file}.png`);
    expect([file, size > 8_000]).toEqual([file, true]);
    const framed = await at(`/embed${file}`);
    expect(framed.headers.get("content-security-policy")).toMatch(
      /default-src 'self'(?!.*frame-ancestors)/,
    );
    expect(await framed.text()).toContain(`${file}.png`);
  }
  const own = await at("/coins/btc");
  expect(own.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("the answer of the calculator is its preview, and only numbers that it takes have one", async () => {
  const page = await textAt(LUCK);
  expect(page).toContain('og:title" content="Too close to call."');
  expect(page).toContain("shows about 1.79 over 2 years. Yours shows 1.80.");
  for (const path of ["1.80_2_100", "1.8_2_0", "1.8_2_0.5", "1.8_0.01_5", "1e3_2_5", "1.8_2", "x"])
    expect([path, (await at(`/luck/${path}`)).status]).toEqual([path, 404]);
  expect((await at("/luck/-1.5_0.25_1000000000.png")).status).toBe(200);
});

test("a study that is sent has its own picture and words, of rules and coins that there are", async () => {
  const page = await textAt(STUDY);
  expect(page).toContain('og:title" content="MACD cross on BTC: the best of 100 tries"');
  expect(page).toContain(`og:image" content="http://api.test${STUDY}.png"`);
  expect(page).toContain("shows about 1.79 over 2 years. Yours shows 1.80.");
  for (const path of ["none/btc_1.8_2_100", "macd_cross/none_1.8_2_100", "macd_cross/btc_1.80_2_1"])
    for (const type of ["", ".png"])
      expect([path, (await at(`/strategies/${path}${type}`)).status]).toEqual([path, 404]);
});

test("a feed has what changed, a day each, from the history of the ratings", async () => {
  const asked = "/v1/history?coin=btc&columns=rating&from=";
  const feed = await textAt("/coins/btc/feed.xml");
  const all = [...feed.matchAll(/<entry><title>(.*?)<\/title>.*?<updated>([\d-]+)T/g)];
  const entries = all.filter(([, title]) => !title!.startsWith("No longer holds: “BTC is "));
  const last = /<updated>([\d-]+)T/.exec(feed)![1]!;
  const from = new Date(Date.parse(last) - 60 * 86_400_000).toISOString().slice(0, 10);
  const { data } = (await (await server.get(asked + from, key)).json()) as {
    data: { dates: string[]; ratings: string[] };
  };
  expect(entries.length).toBeGreaterThan(0);
  for (const [, title, date] of entries) {
    const day = data.dates.indexOf(date!);
    const [before, now] = [data.ratings[day - 1]!, data.ratings[day]!];
    const words = `${now.replace("_", " ")}, before ${before.replace("_", " ")}`;
    expect(title).toBe(`BTC is rated ${words}`);
  }
  const whole = await textAt("/feed.xml");
  expect(whole).toContain(entries[0]![1]!);
  const index = await server.get("/v1/overfitting-index", key);
  const { history } = ((await index.json()) as { data: OverfittingIndex }).data;
  expect(whole).toContain(`: ${decimal(history.at(-1)!.value, 1)}; luck`);
  expect((await at("/coins/nosuch/feed.xml")).status).toBe(404);
});

test("robots are told where every page is, and to leave callers' own alone", async () => {
  expect(await textAt("/llms.txt")).toContain("(http://api.test/docs/assistants)");
  expect(await textAt("/robots.txt")).toContain("Sitemap: http://api.test/sitemap.xml");
  const map = await textAt("/sitemap.xml");
  for (const path of PAGES) expect(map).toContain(`<loc>http://api.test${path}</loc>`);
  expect(map).not.toMatch(/account|\.json/);
});
