import { describe, expect, test } from "vitest";
import { overfittingIndex } from "../../../server/routes/overfitting-index.ts";
import type { SnapshotData } from "../../../server/routes/snapshot-data.ts";
import { askOn, type Data } from "../../support/ask-on.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const MARKET = marketSnapshot();
const askMarket = askOn(MARKET);

const ask = (part: Partial<SnapshotData> = {}): Data =>
  askMarket(overfittingIndex, "", { ...MARKET, ...part });

describe("GET /overfitting-index", () => {
  const data = ask();

  test("has the last complete month as current and every month oldest first", () => {
    expect(data.current).toEqual(data.history[1]);
    expect(data.history.map(({ month }: Data) => month)).toEqual(["2025-05", "2025-06"]);
    expect(data.history.map(({ backfilled }: Data) => backfilled)).toEqual([true, false]);
  });

  test("a month has its value, bounds, components, companions and band", () => {
    expect(data.current).toMatchObject({
      value: 50.8,
      significant: false,
      components: { tuning: 49.4, shopping: 52.2, pbo: 0.51 },
      companions: { share_negative_out_of_sample: 0.48 },
      coins: 28,
      runs: 8008,
      version: 1,
      null_band: { low: 45, high: 54, draws: 21, month: "2025-06" },
    });
    expect(data.current.high - data.current.value).toBeCloseTo(
      1.645 * data.current.null_band.standard_deviation,
      8,
    );
  });

  test("judges all months together by the maxima of their draws", () => {
    const draws = Array.from({ length: 21 }, (_, draw) => 44.5 + draw / 2);
    const mean = 49.5;
    const deviation = Math.sqrt(draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 20);
    expect(data.luck).toMatchObject({
      months: 2,
      outside: 0,
      outside_by_luck: 0.2,
      standing_out: 0,
    });
    expect(data.luck.bar).toBeCloseTo(5 / deviation, 8); // the 20th of 21 distances; both months have the same
    expect(data.current.deviations).toBeCloseTo((50.8 - mean) / deviation, 8);
    expect(data.current.stands_out).toBe(false);
    const far = MARKET.overfittingIndex.map((row) => ({ ...row, value: 70 }));
    expect(ask({ overfittingIndex: far })).toMatchObject({
      luck: { outside: 2, standing_out: 2 },
      current: { stands_out: true },
    });
    const undrawn = ask({ overfittingIndexDraws: new Map() });
    expect(undrawn.luck).toMatchObject({ months: 0, bar: null });
    expect(undrawn.current).toMatchObject({ deviations: null, stands_out: null });
  });

  test("links to the method on the server that clients reach", () => {
    const path = "/docs/methods#the-crypto-overfitting-index";
    const { methodology } = ask({ publicUrl: "https://api.example.com" });
    expect(methodology.link).toBe(`https://api.example.com${path}`);
    expect(data.methodology.link).toBe(path);
  });

  test("has as current the month of the dataset, and none when that has no value", () => {
    const ofMonth = (version: string) => ({
      dataset: { ...MARKET.dataset, about: { ...MARKET.dataset.about, version } },
    });
    expect(ask(ofMonth("2025-05")).current).toEqual(data.history[0]);
    expect(ask(ofMonth("2025-07")).current).toBeNull();
  });

  test("has no band where none was drawn", () => {
    const rows = MARKET.overfittingIndex.map((row) => ({
      ...row,
      low: null,
      high: null,
      significant: null,
      luck_share: null,
      null_band_draws: 0,
    }));
    const { current } = ask({ overfittingIndex: rows });
    expect(current).toMatchObject({ low: null, high: null, significant: null, null_band: null });
  });

  test("says nothing of a month without a value, whatever the band", () => {
    const nothing = { value: null, low: null, high: null, significant: null, luck_share: null };
    const rows = MARKET.overfittingIndex.map((row) => ({ ...row, ...nothing }));
    const { current } = ask({ overfittingIndex: rows });
    expect(current).toMatchObject(nothing);
    expect(current?.null_band).not.toBeNull();
  });

  test("a board without old coins has an empty history", () => {
    const { current, history } = ask({ overfittingIndex: [] });
    expect(current).toBeNull();
    expect(history).toEqual([]);
  });
});
