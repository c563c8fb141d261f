import type { Reading } from "../api/reading.ts";
import { decimal, dollars } from "./format.ts";

/** An indicator's values and its signal. */
interface SignalLine {
  readonly signal: "buy" | "neutral" | "sell";
  readonly [value: string]: number | string | null;
}

/** One of the signals that the rating counts. */
export interface RatingPart {
  readonly name: string;
  readonly value: string;
  readonly rule: string;
  /** Undefined without enough history. */
  readonly signal: SignalLine["signal"] | undefined;
}

const ABOVE = "buy above it, sell below";
const REVERSAL = "buy when low and rising, sell when high and falling";
const TURNS = "buy when low and turning up, sell when high and turning down";

/** Member of the reading, name, the values shown, and the rule in a few words. */
const AVERAGES = [
  ["hull_ma", "Hull average, 9 days", ["value"], ABOVE],
  ["vwma", "volume-weighted average, 20 days", ["value"], ABOVE],
  [
    "ichimoku",
    "Ichimoku, base line",
    ["base"],
    "buy above the cloud with its lines in order, sell below",
  ],
] as const;

const OSCILLATORS = [
  ["rsi", "RSI, 14 days", ["value"], `${REVERSAL} (30 and 70)`],
  ["stochastic", "stochastic, 14 days", ["k", "d"], `${TURNS} (20 and 80)`],
  ["cci", "CCI, 20 days", ["value"], `${REVERSAL} (−100 and 100)`],
  ["adx", "ADX, 14 days", ["adx"], "above 20 and growing, the stronger side"],
  [
    "awesome_oscillator",
    "awesome oscillator",
    ["value"],
    "buy when it turns up above 0, sell when it turns down below",
  ],
  ["momentum", "momentum, 10 days", ["value"], "buy when rising, sell when falling"],
  ["macd", "MACD 12, 26, 9", ["line", "signal_line"], "buy above its signal line, sell below"],
  ["stoch_rsi", "stochastic of RSI", ["k", "d"], `${TURNS}, against the trend`],
  ["williams_r", "Williams %R, 14 days", ["value"], `${REVERSAL} (−80 and −20)`],
  [
    "bull_bear_power",
    "bull and bear power",
    ["bull", "bear"],
    "buy when bears weaken in an up-trend, sell in the mirror image",
  ],
  ["ultimate_oscillator", "ultimate oscillator", ["value"], "buy above 70, sell below 30"],
] as const;

/** The 15 moving averages, which are the first half of the rating. */
export function averageParts({ indicators }: Reading): readonly RatingPart[] {
  const ofPeriods = (kind: "ema" | "sma", word: string) =>
    Object.entries(indicators[kind]).map(([period, line]) => ({
      name: `${word} average, ${period} days`,
      value: dollars(numberOf(line, "value")),
      rule: ABOVE,
      signal: line?.signal,
    }));
  const others = AVERAGES.map((part) => partOf(indicators[part[0]], part, dollars));
  return [...ofPeriods("ema", "exponential"), ...ofPeriods("sma", "simple"), ...others];
}

/** The 11 oscillators, which are the second half. */
export function oscillatorParts({ indicators }: Reading): readonly RatingPart[] {
  return OSCILLATORS.map((part) => partOf(indicators[part[0]], part, significantText));
}

function partOf(
  line: SignalLine | null,
  [, name, members, rule]: readonly [string, string, readonly string[], string],
  text: (value: number | null) => string,
): RatingPart {
  const value = members.map((member) => text(numberOf(line, member))).join(" / ");
  return { name, value, rule, signal: line?.signal };
}

function numberOf(line: SignalLine | null, member: string): number | null {
  const value = line?.[member];
  return typeof value === "number" ? value : null;
}

/** Fewer decimals for larger values: some oscillators are as large as prices, others at most 100. */
function significantText(value: number | null): string {
  const size = Math.abs(value ?? 0);
  return decimal(value, size >= 1000 ? 0 : size >= 1 ? 1 : size >= 0.01 || size === 0 ? 3 : 6);
}
