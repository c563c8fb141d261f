import { describe, expect, test } from "vitest";
import type { BoardCoin } from "../../../pipeline/board.ts";
import { openCsv } from "../../../pipeline/sources/csv.ts";
import { coinOf, folderOf, pricesText } from "../../support/prices-file.ts";
import { span } from "../../support/prices-file-rows.ts";

const RANGE = { fromDay: null, toDay: 18_004 };
const sound = pricesText({ firstDay: 18_000, days: 5 });

describe("a coin of several symbols", () => {
  const pol: BoardCoin = {
    ...coinOf("pol"),
    earlier: [
      { symbol: "OLD/USDT", until: 17_950, factor: 1000 },
      { symbol: "MATIC/USDT", until: 17_999, factor: 2 },
    ],
  };
  const own = pricesText({ firstDay: 17_990, days: 15 });
  const matic = pricesText({ firstDay: 17_940, days: 58 }); // to 17,997
  const old = pricesText({ firstDay: 17_900, days: 60 });
  const fetch = async (files: Record<string, string>, withOther = false) => {
    const folder = folderOf(withOther ? { ...files, "btc.csv": sound } : files);
    const source = openCsv(folder, [pol, coinOf("btc")]);
    const coin = await source.fetch(pol, RANGE);
    if (withOther) await source.fetch(coinOf("btc"), RANGE);
    return { ...coin, summary: source.conclude() };
  };

  test("has the rows of each up to its last day, in today's unit, and its own behind", async () => {
    const { rows, faults, summary } = await fetch({
      "pol.csv": own,
      "MATIC.csv": matic,
      "old.csv": old,
    });
    expect(rows.map(({ day }) => day)).toEqual(span(17_900, 18_004));
    expect(faults).toEqual([]);
    expect(summary).toMatchObject({ otherFiles: 0, missing: [], failed: [] });
    expect(summary.notices).toEqual([
      { ticker: "pol", text: "days up to 2019-04-11 are those of MATIC/USDT, prices times 2" },
      { ticker: "pol", text: "days up to 2019-02-23 are those of OLD/USDT, prices times 1000" },
    ]);
    const at = (day: number) => rows.find((row) => row.day === day)!;
    expect(at(17_950)).toMatchObject({
      open: 149_500,
      high: 151_000,
      low: 149_000,
      close: 150_000,
    });
    expect(at(17_950).volume).toBe(60.25 / 1000);
    expect(at(17_951)).toMatchObject({ close: 222, volume: 21.25 / 2 });
    expect(at(17_998), "its own, since the other ended before").toMatchObject({ close: 108 });
  });

  test("begins where the symbols that are there begin, and names the others", async () => {
    const { rows, summary } = await fetch({ "pol.csv": own, "old.csv": old });
    expect(rows.map(({ day }) => day)).toEqual([...span(17_900, 17_950), ...span(17_990, 18_004)]);
    expect(summary.notices?.map(({ text }) => text)).toEqual([
      "nothing of MATIC/USDT up to 2019-04-13: matic.csv: there is no such file",
      "days up to 2019-02-23 are those of OLD/USDT, prices times 1000",
    ]);
  });

  test("is left as it is published where a file of an earlier symbol cannot be read", async () => {
    const broken = await fetch({ "pol.csv": own, "matic.csv": "garbage\n\n" }, true);
    expect(broken.rows).toEqual([]);
    expect(broken.fault?.message).toMatch(/^matic\.csv: /);
    const absent = await fetch({ "matic.csv": matic }, true);
    expect(absent.fault?.reason).toBe("file_missing");
  });

  test("may have had another unit under the same symbol", async () => {
    const cut: BoardCoin = {
      ...coinOf("pol"),
      earlier: [{ symbol: "POL/USDT", until: 17_994, factor: 0.001 }],
    };
    const source = openCsv(folderOf({ "pol.csv": own }), [cut]);
    const { rows } = await source.fetch(cut, RANGE);
    expect(rows.map(({ close }) => close).slice(3, 7)).toEqual([
      103 * 0.001,
      104 * 0.001,
      105,
      106,
    ]);
    expect(rows.map(({ volume }) => volume).slice(4, 6)).toEqual([14.25 / 0.001, 15.25]);
  });
});
