import { describe, expect, test } from "vitest";
import type { BoardCoin } from "../../../pipeline/board.ts";
import { InputError } from "../../../pipeline/sources/input-error.ts";
import { openSource } from "../../../pipeline/sources/open-source.ts";
import { pricesText, folderOf } from "../../support/prices-file.ts";

const board: BoardCoin[] = [{ ticker: "btc", name: "Bitcoin", symbol: "BTC/USDT" }];
const options = { board, now: () => 0 };

describe("openSource", () => {
  test("opens the demo market and a folder, even one with a colon in its name", async () => {
    expect((await openSource("demo", options)).name).toBe("demo");
    const folder = folderOf({ "btc.csv": pricesText({ firstDay: 18_000, days: 2 }), "a:b": null });
    expect((await openSource(`csv:${folder}`, options)).name).toBe("csv");
    await expect(openSource(`csv:${folder}/a:b`, options)).rejects.toThrow(
      /a:b" has no price file/,
    );
  });

  test.each([
    ["no candles", "bit2c"],
    ["candles of hours but not of days", "bithumb"],
    ["names for candles and no candles", "derive"],
  ])("refuses an exchange with %s", async (_, name) => {
    const attempt = openSource(`exchange:${name}`, {
      ...options,
      exchangeUrl: "http://127.0.0.1:1",
    });
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(`exchange "${name}" offers no daily candles`);
  });

  test.each([
    ["", 'expected demo, csv:DIR or exchange:NAME, got ""'],
    ["demo:2", 'got "demo:2"'],
    ["ftp://x", 'got "ftp://x"'],
  ])("refuses %j and says what is missing", async (spec, said) => {
    const attempt = openSource(spec, options);
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(said);
  });
});
