/** Numbers and dates as pages show them. A figure that does not exist (`null` or NaN) is an en dash. */

const MISSING = "–";
const MINUS = "−";
/** After a narrow space at which no line ends. */
const PERCENT = "\u202f%";

type Figure = number | null | undefined;

/** `-1.5` with 2 digits is "−1.50"; thousands are separated by commas. */
export function decimal(value: Figure, digits: number): string {
  return fixed(value, digits, "");
}

/** A figure whose sign matters: "+0.12", "−0.30". */
export function signedDecimal(value: Figure, digits: number): string {
  return fixed(value, digits, "+");
}

/** A percentage with its sign: 12.34 is "+12.3 %". */
export function signedPercent(value: Figure, digits = 1): string {
  return fixed(value, digits, "+", PERCENT);
}

/** A share from 0 to 1 as a percentage: 0.4 is "40 %". */
export function share(value: Figure, digits = 0): string {
  return fixed(isShown(value) ? 100 * value : null, digits, "", PERCENT);
}

/** "44 to 50 %" from texts of both ends. */
export function rangeText(
  ends: readonly [number, number],
  text: (value: number) => string,
): string {
  const [low, high] = [text(ends[0]), text(ends[1])];
  return `${low.endsWith(PERCENT) ? low.slice(0, -PERCENT.length) : low} to ${high}`;
}

/** A figure with four significant digits at most: 0.04567, 1,234. */
export function significant(value: Figure): string {
  if (!isShown(value)) return MISSING;
  const rounded = Number(value.toPrecision(4));
  const digits = rounded === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(rounded))));
  const text = Math.abs(rounded).toLocaleString("en-US", {
    maximumFractionDigits: Math.min(digits, 20),
  });
  return (rounded < 0 ? MINUS : "") + text;
}

/** A probability or a p-value: neither is ever exactly 0 or 1. */
export function chance(value: Figure): string {
  if (!isShown(value)) return MISSING;
  if (value < 0.0001) return "< 0.0001";
  return value > 0.9999 ? "> 0.9999" : significant(value);
}

/** A count. One of a million or more is written in words: "327 million". */
export function count(value: Figure): string {
  if (!isShown(value) || value < 1e6) return decimal(value, 0);
  return value.toLocaleString("en-US", {
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 3,
  });
}

/** A price in US dollars with five significant digits at most. */
export function dollars(value: Figure): string {
  if (!isShown(value)) return MISSING;
  const digits = value >= 1000 ? 0 : value >= 1 ? 2 : 2 - Math.floor(Math.log10(value || 1)) + 1;
  return `$${fixed(value, Math.min(digits, 10), "")}`;
}

/** "2026-01-02" as "2 January 2026". */
export function dateWords(date: string): string {
  return `${Number(date.slice(-2))} ${monthName(date.slice(0, 7))}`;
}

/** "2025-06" as "June 2025". */
export function monthName(month: string): string {
  const [year, number] = month.split("-");
  return `${MONTHS[Number(number) - 1]} ${year}`;
}

const ACRONYMS = /\b(ema|macd|rsi|adx|cci|sar)\b/g;
/** Rules whose name is not their title with other signs. */
const TITLES: Readonly<Record<string, string>> = {
  donchian_breakout: "Donchian breakout (turtle)",
  ma_cross: "moving-average cross",
  mfi: "Money Flow Index",
  supertrend: "SuperTrend",
  time_series_momentum: "time-series momentum",
  volatility_filtered_trend: "volatility-filtered trend",
  williams_r: "Williams %R",
  zscore_reversion: "z-score reversion",
};

/** A rule's title: "macd_cross" is "MACD cross". The catalogue has the same one, which pages need not load. */
export function templateWords(name: string): string {
  const words = TITLES[name] ?? name.replaceAll("_", " ");
  const said = words.replaceAll(ACRONYMS, (acronym) => acronym.toUpperCase());
  return said[0]!.toUpperCase() + said.slice(1); // a name is not empty
}

/** "strong_buy" as "strong buy". */
export function ratingWords(rating: string | null | undefined): string {
  return rating?.replace("_", " ") ?? "not rated yet";
}

const MONTHS =
  "January,February,March,April,May,June,July,August,September,October,November,December".split(
    ",",
  );

function isShown(value: Figure): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Formats by their digits. Making one takes as long as writing a hundred figures. */
const formats: Intl.NumberFormat[] = [];

function fixed(value: Figure, digits: number, plus: string, unit = ""): string {
  if (!isShown(value)) return MISSING;
  const format = (formats[digits] ??= new Intl.NumberFormat("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }));
  const text = format.format(Math.abs(value));
  const isZero = Number(text.replaceAll(",", "")) === 0;
  const sign = value < 0 ? MINUS : plus;
  return (isZero ? "" : sign) + text + unit;
}
