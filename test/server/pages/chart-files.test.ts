import { describe, expect, test } from "vitest";
import type { Dataset } from "../../../api/dataset.ts";
import { chartPathsOf } from "../../../web/paths.ts";
import { parsedCsv } from "../../support/parsed-csv.ts";
import { sharedServer, ServerFixture } from "../../support/server-fixture.ts";

const { server, key } = await sharedServer();
const coins = new Set(["btc"]);
const templates = new Set(["macd_cross"]);
const PATHS = chartPathsOf({ coins, priced: coins, templates });

const at = async (path: string) => await server.get(path, undefined);
const rowsOf = async (path: string) => parsedCsv(await (await at(path)).text());

describe("the files of charts", () => {
  test.each(PATHS.filter((path) => path.endsWith(".csv")))("%s has rows", async (path) => {
    const response = await at(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8",
    ]);
    const text = await response.text();
    expect(text.split("\r\n").length).toBeGreaterThan(2);
    expect(text).not.toMatch(/NaN|undefined|\[object/);
  });

  test.each(PATHS.filter((path) => path.endsWith(".svg")))("%s stands alone", async (path) => {
    const response = await at(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await response.text();
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).toContain("@media(prefers-color-scheme:dark)");
    expect(text, "made up").toContain("made-up prices");
    expect(text, "its source").toContain("CC BY 4.0");
    expect(text).not.toMatch(/NaN|undefined|Infinity|style="/);
  });

  test("have the figures of the API, as numbers", async () => {
    const response = await server.get("/v1/dataset?coin=btc", key);
    const { picks } = ((await response.json()) as { data: Dataset }).data;
    const rows = await rowsOf("/dataset/coins/btc/picks.csv");
    expect(rows.map(({ afterwards }) => Number(afterwards))).toEqual(
      picks.map(({ out_of_sample: part }) => Number((part.sharpe ?? 0).toFixed(2))),
    );
    const [newest] = await rowsOf("/coins/btc/holding.csv");
    expect(newest!["return (%)"]).toMatch(/^-?\d+\.\d$/);
  });

  test("are empty where the snapshot has nothing to draw", async () => {
    const response = await at("/strategies/ma_cross/picks.csv");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    const picture = await at("/strategies/ma_cross/picks.svg");
    expect(await picture.text()).toContain("nothing to draw here yet");
  });

  test("are linked from their charts, with the address of the place and the snapshot", async () => {
    const page = await (await at("/dataset")).text();
    expect(page).toContain('<figure id="map"');
    for (const href of ["/dataset/map.csv", "/dataset/map.svg", "/dataset#map"])
      expect(page).toContain(`href="${href}"`);
    expect(page).toMatch(/snapshot [^,<]+, CC BY 4\.0, http[^<]+\/dataset#map/);
  });

  test("are none of other charts, pages and coins", async () => {
    for (const path of [
      "/dataset/nope.svg",
      "/coins/nope/price.csv",
      "/check/luck.svg",
      "/map.csv",
    ])
      expect((await at(path)).status, `of ${path}`).toBe(404);
  });

  test("are withheld where prices are, but for what has none", async () => {
    const withheld = await ServerFixture.start({ withholdsPrices: true });
    const status = async (path: string) => (await withheld.get(path, undefined)).status;
    expect(await status("/coins/btc/price.csv")).toBe(404);
    expect(await status("/coins/btc/price.svg")).toBe(404);
    expect(await status("/coins/btc/picks.csv")).toBe(200);
    const holding = await (await withheld.get("/coins/btc/holding.csv", undefined)).text();
    expect(holding.split("\r\n")[0]).not.toContain(",at,");
    await withheld.close();
  });
});
