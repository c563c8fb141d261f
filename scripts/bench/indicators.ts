/**
 * Our indicators against TA-Lib compiled to WebAssembly, as its package offers it to a JavaScript program: columns in,
 * columns out. Prints nanoseconds of CPU time a bar over the board's longest histories, and ratios pass by pass.
 *
 *   node dist/scripts/bench/indicators.js [options]
 *
 *   --source SOURCE  demo or csv:DIR (default: demo)
 *   --passes N       passes over all of them (default: 15)
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as talib from "talib-web";
import type { Bars } from "../../quant/bars.ts";
import { adx } from "../../quant/indicators/adx.ts";
import { cci } from "../../quant/indicators/cci.ts";
import { ema } from "../../quant/indicators/ema.ts";
import { macd } from "../../quant/indicators/macd.ts";
import { mfi } from "../../quant/indicators/mfi.ts";
import { parabolicSar } from "../../quant/indicators/parabolic-sar.ts";
import { rsi } from "../../quant/indicators/rsi.ts";
import { sma } from "../../quant/indicators/sma.ts";
import { williamsR } from "../../quant/indicators/williams-r.ts";
import { longestHistories } from "./longest-histories.ts";
import { spreadText } from "./part.ts";
import { ratioSpread, spreadOf } from "./spread.ts";
import { scriptOptions, whole } from "../support/script-options.ts";

const COINS = 10;

const values = scriptOptions(import.meta.url, {
  source: { type: "string", default: "demo" },
  passes: { type: "string", default: "15" },
});
const passes = whole("--passes", values.passes);

// In Node the package's loader can only take its module from a `data:` URL.
const main = createRequire(import.meta.url).resolve("talib-web");
const wasm = readFileSync(new URL("talib.wasm", `file://${main}`));
await talib.init(`data:application/wasm;base64,${wasm.toString("base64")}`);

/**
 * Plain arrays, which the package's functions take. They are made beforehand, so that their cost is not
 * measured.
 */
function listsOf({ high, low, close, volume }: Bars) {
  const [highs, lows, closes] = [Array.from(high), Array.from(low), Array.from(close)];
  return { high: highs, low: lows, close: closes, volume: Array.from(volume), inReal: closes };
}
type Lists = ReturnType<typeof listsOf>;

const CASES: readonly (readonly [string, (bars: Bars) => unknown, (lists: Lists) => unknown])[] = [
  ["SMA 50", ({ close }) => sma(close, 50), (l) => talib.SMA({ ...l, timePeriod: 50 })],
  ["EMA 50", ({ close }) => ema(close, 50), (l) => talib.EMA({ ...l, timePeriod: 50 })],
  ["RSI 14", ({ close }) => rsi(close, 14), (l) => talib.RSI({ ...l, timePeriod: 14 })],
  ["MACD 12,26,9", ({ close }) => macd(close, 12, 26, 9), (l) => talib.MACD(l)],
  ["ADX 14", (b) => adx(b.high, b.low, b.close, 14), (l) => talib.ADX({ ...l, timePeriod: 14 })],
  ["CCI 20", (b) => cci(b.high, b.low, b.close, 20), (l) => talib.CCI({ ...l, timePeriod: 20 })],
  ["MFI 14", (b) => mfi(b.high, b.low, b.close, b.volume, 14), (l) => talib.MFI(l)],
  ["Williams %R 14", (b) => williamsR(b.high, b.low, b.close, 14), (l) => talib.WILLR(l)],
  ["SAR 0.02,0.2", (b) => parabolicSar(b.high, b.low, 0.02, 0.2), (l) => talib.SAR(l)],
];

const coins = await longestHistories(values.source, COINS);
const lists = coins.map(listsOf);
const bars = coins.reduce((sum, { day }) => sum + day.length, 0);

/** Nanoseconds of CPU per bar. Several turns make the clock's microseconds negligible. */
const TURNS = 5;
function nanosecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn++) work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / (TURNS * bars);
}

console.log(`indicators, ns/bar over ${coins.length} coins: ours, talib-web, talib-web / ours`);
for (const [name, ours, theirs] of CASES) {
  const measured = Array.from({ length: passes + 2 }, () => ({
    ours: nanosecondsOf(() => coins.forEach(ours)),
    theirs: nanosecondsOf(() => lists.forEach(theirs)),
  })).slice(2); // the first two also compile
  const own = measured.map((pass) => pass.ours);
  const other = measured.map((pass) => pass.theirs);
  const texts = [spreadOf(own), spreadOf(other)].map((spread) => spreadText(spread, 1).padEnd(20));
  console.log(`${name.padEnd(16)} ${texts.join(" ")} ${spreadText(ratioSpread(other, own), 1)}x`);
}
