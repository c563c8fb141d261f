import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../pipeline/sources/as-of.ts";
import { openCsv } from "../../../pipeline/sources/csv.ts";
import { coinOf, folderOf, pricesText } from "../../support/prices-file.ts";
import { span } from "../../support/prices-file-rows.ts";

const RANGE = { fromDay: null, toDay: 18_004 };
const sound = pricesText({ firstDay: 18_000, days: 5 });

const BOARD = ["btc", "eth"].map(coinOf);

describe("a file that loses rows to refusals", () => {
  const fileOf = (refused: number, rows = 100) => {
    const [header = "", ...lines] = pricesText({ firstDay: 18_005 - rows, days: rows })
      .trimEnd()
      .split("\n");
    const broken = lines.map((line, index) => (index < refused ? line.replace(",", ",-") : line));
    return [header, ...broken, ""].join("\n");
  };
  const fetched = async (content: string) => {
    const source = openCsv(folderOf({ "btc.csv": content, "eth.csv": sound }), BOARD);
    const coin = await source.fetch(BOARD[0]!, RANGE);
    await source.fetch(BOARD[1]!, RANGE);
    return { ...coin, failed: source.conclude().failed };
  };

  test("is used up to a tenth of them, and left out beyond, with all that is wrong with it", async () => {
    expect((await fetched(fileOf(10))).rows).toHaveLength(100);
    const { rows, fault, failed } = await fetched(fileOf(10).replace(",110.5,", ",$110.5,"));
    expect(rows).toEqual([]);
    expect(fault).toEqual({
      reason: "too_many_refused",
      message: expect.stringMatching(
        /^btc\.csv: 11 of 100 rows are refused: line 13: "open": expected .*; line 2: price_not_positive in "[^"]+"$/,
      ) as string,
    });
    expect(failed).toEqual([{ ticker: "btc", message: fault!.message }]);
  });

  test("does not count rows before a gap, repeats, or a line that is being written", async () => {
    const early = pricesText({ firstDay: 10_000, days: 80 }).trimEnd();
    const twice = early.split("\n").slice(1, 60).join("\n");
    const content = `${early}\n${twice}\n${sound.split("\n").slice(1).join("\n")}2019-04-1`;
    const { fault, rows, faults } = await fetched(content);
    expect([fault, rows.length, faults.length]).toEqual([null, 144, 1]);
  });

  test("does not decide the last day of the others", async () => {
    const later = fileOf(90).replaceAll("2019-", "2021-");
    const source = openCsv(folderOf({ "btc.csv": later, "eth.csv": sound }), BOARD);
    expect(await source.newestDay(19_000)).toBe(18_004);
  });
});

describe("a file that ends before the others", () => {
  const files = {
    "btc.csv": pricesText({ firstDay: 18_000, days: 5 }),
    "eth.csv": pricesText({ firstDay: 17_990, days: 13 }),
  };
  const START = span(17_990, 17_999);
  const ethOf = async (toDay: number, keepLastRows?: boolean) => {
    const source = openCsv(folderOf(files), BOARD, { keepLastRows });
    return await source.fetch(BOARD[1]!, { fromDay: null, toDay });
  };

  test("has its last day refused, which may not have been over", async () => {
    const { rows, faults } = await ethOf(18_004);
    expect(rows.map(({ day }) => day)).toEqual([...START, 18_000, 18_001]);
    expect(faults).toEqual([
      {
        line: 14,
        day: 18_002,
        reason: "last_day_unfinished",
        raw: files["eth.csv"].trimEnd().split("\n").at(-1),
      },
    ]);
  });

  test("keeps it where the run ends no later, or where the files are known to be whole", async () => {
    expect((await ethOf(18_002)).rows).toHaveLength(13);
    const kept = await ethOf(18_004, true);
    expect([kept.rows.length, kept.faults]).toEqual([13, []]);
  });

  test.each([
    [
      "no day before a refused last row",
      "2019-04-17,1,1,2,1,1\n",
      [18_000, 18_001, 18_002, 18_003],
    ],
    [
      "its last day also before a row of the future",
      "2030-01-01,1,1,1,1,1\n",
      [18_000, 18_001, 21_915],
    ],
  ])("loses %s", async (_, line, days) => {
    const folder = folderOf({ "eth.csv": files["eth.csv"] + line });
    const source = openCsv(folder, BOARD, { now: () => 18_010 * DAY_MS });
    const { rows } = await source.fetch(BOARD[1]!, { fromDay: null, toDay: 18_004 });
    expect(rows.map(({ day }) => day)).toEqual([...START, ...days]);
  });

  describe("and whose last line has no line break", () => {
    const cut = (text: string, lastCharacters: number) =>
      text.slice(0, text.length - lastCharacters);
    const daysOf = async (content: string, ageSeconds: number, toDay = 18_004) => {
      const folder = folderOf({ "btc.csv": files["btc.csv"], "eth.csv": content });
      const { mtimeMs } = statSync(join(folder, "eth.csv"));
      const source = openCsv(folder, BOARD, { now: () => mtimeMs + ageSeconds * 1000 });
      const { rows, faults } = await source.fetch(BOARD[1]!, { fromDay: null, toDay });
      return [rows.at(-1)?.day, ...faults.map(({ reason }) => reason)];
    };
    const eth = files["eth.csv"];

    test("loses that line alone while it may be being written", async () => {
      for (const characters of [1, 2, 20, 30]) {
        expect(await daysOf(cut(eth, characters), 60), `of ${characters} less`).toEqual([
          18_001,
          "unterminated_row",
        ]);
      }
    });

    test("has it as its last row where the file has been left alone for more than a minute", async () => {
      expect(await daysOf(cut(eth, 1), 61)).toEqual([18_001, "last_day_unfinished"]);
      expect(await daysOf(cut(eth, 1), 61, 18_002)).toEqual([18_002]);
      expect(await daysOf(cut(eth, 12), 61), "not all cells").toEqual([18_001, "unterminated_row"]);
    });

    test("and that begins with its newest day still loses that day", async () => {
      const [header = "", ...rows] = eth.trimEnd().split("\n");
      const newestFirst = [header, ...rows.toReversed()].join("\n");
      expect(await daysOf(newestFirst, 0)).toEqual([
        18_001,
        "unterminated_row",
        "last_day_unfinished",
      ]);
    });
  });
});
