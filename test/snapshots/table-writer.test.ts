import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeArrow } from "../../snapshots/arrow-reader.ts";
import { openTableWriter, type TableWriter } from "../../snapshots/table-writer.ts";
import type { openThreadedTableWriter } from "../../snapshots/table-writer-thread.ts";
import { PRICES, priceBlock } from "../../snapshots/tables/prices.ts";
import { SIGNALS } from "../../snapshots/tables/signals.ts";
import { doubles, inSharedMemory, type TableBlock } from "../../snapshots/tables/table.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import { query, textOfParquet } from "../support/snapshot-text.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The thread runs the built files, which `make test` builds first. */
const BUILT = new URL("../../dist/snapshots/table-writer-thread.js", import.meta.url);
const BARS = madeUpBars({ seed: 11, days: 3000 });
const COINS = ["btc", "eth", "xrp"];
const folder = () => temporaryFolder("snapshots");

function blockOf(coin: string): TableBlock {
  return inSharedMemory(priceBlock(coin, BARS, new Uint8Array(BARS.day.length)));
}

async function threaded(into: string): Promise<TableWriter> {
  const built = (await import(BUILT.href)) as {
    openThreadedTableWriter: typeof openThreadedTableWriter;
  };
  return await built.openThreadedTableWriter(into);
}

/** Writes the prices of all coins. */
async function fill(writer: TableWriter): Promise<void> {
  await writer.begin(PRICES, { coin: COINS });
  for (const coin of COINS) await writer.append(blockOf(coin));
  await writer.end();
}

const writers: [string, (into: string) => Promise<TableWriter>][] = [
  ["on this thread", openTableWriter],
  ["on a thread of its own", threaded],
];

describe.each(writers)("a table writer %s", (_, open) => {
  test("takes tables block by block, one after the other", async () => {
    const dir = folder();
    const writer = await open(dir);
    await fill(writer);
    await writer.begin(SIGNALS, {});
    await writer.end();
    await writer.finish();
    const whole = ["prices.arrow", "prices.parquet", "signals.parquet"];
    const bytes = whole.map((name) => readFileSync(join(dir, name)));
    await writer.close();
    expect(readdirSync(dir).sort()).toEqual(["hindsight.duckdb", ...whole]);
    const changed = whole.filter((name, at) => !readFileSync(join(dir, name)).equals(bytes[at]!));
    expect(changed).toEqual([]);
    const database = `ATTACH '${join(dir, "hindsight.duckdb")}' AS s (READ_ONLY)`;
    const counted = await query(`${database}; SELECT count(*)::INTEGER AS days FROM s.prices`);
    expect(counted).toEqual([{ days: COINS.length * BARS.day.length }]);
    const read = decodeArrow(PRICES, readFileSync(join(dir, "prices.arrow")));
    expect(read.map(({ columns }) => columns["coin"])).toEqual(COINS);
    expect(read[2]?.columns["close"]).toEqual(BARS.close);
  });

  test("writes what is not finite as no value, whichever NaN the processor left", async () => {
    const close = BARS.close.slice();
    const bits = new Uint32Array(close.buffer);
    bits.set([0, 0xfff8_0000], 0); // row 0: x64's own NaN
    bits.set([7, 0x7ff8_0000], 2); // row 1: one with a payload
    close.set([Infinity, -Infinity], 2);
    const dir = folder();
    const writer = await open(dir);
    await writer.begin(PRICES, { coin: ["btc"] });
    const block = blockOf("btc");
    await writer.append(inSharedMemory({ ...block, columns: { ...block.columns, close } }));
    await writer.end();
    await writer.finish();
    await writer.close();
    const [read] = decodeArrow(PRICES, new Uint8Array(readFileSync(join(dir, "prices.arrow"))));
    const written = doubles(read!, "close").slice();
    expect([...new BigUint64Array(written.buffer.slice(0, 32))]).toEqual(
      Array.from({ length: 4 }, () => 0x7ff8_0000_0000_0000n),
    );
    expect(written.subarray(4)).toEqual(BARS.close.subarray(4));
    const lines = (await textOfParquet(join(dir, "prices.parquet"))).split("\n");
    const closes = lines.slice(1, 6).map((line) => line.split(",")[5]);
    expect(closes).toEqual(["", "", "", "", expect.stringMatching(/\d/)]);
  });

  test("fails with the system's code, which distinguishes a full disk from others", async () => {
    const dir = folder();
    writeFileSync(join(dir, "prices.arrow"), "in the way");
    const writer = await open(dir);
    writer.begin(PRICES, { coin: COINS }).catch(() => {});
    await expect(writer.finish()).rejects.toMatchObject({ code: "EEXIST" });
    await writer.abandon();
  });
});

test("writes the same bytes on either", async () => {
  const files = await Promise.all(
    writers.map(async ([, open]) => {
      const dir = folder();
      const writer = await open(dir);
      await fill(writer);
      await writer.finish();
      await writer.close();
      return ["prices.arrow", "prices.parquet"].map((name) => readFileSync(join(dir, name)));
    }),
  );
  const [one, other] = files;
  expect(one!.map((bytes, at) => bytes.equals(other![at]!))).toEqual([true, true]);
});
