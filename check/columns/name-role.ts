import { INDICATORS, nameParts, type NameClass, type NamePart } from "./names.ts";

/** What a column may be by its name alone; values confirm it. */
export type NameRole =
  | "time"
  | "value"
  | "balance"
  | "capital"
  | "growth"
  | "return"
  | "strategy"
  | "cumulative profit"
  | "profit"
  | "deposit"
  | "withdrawal"
  | "market"
  | "close"
  | "bar"
  | "helper"
  | "unknown";

/** A name, read. */
export interface ReadName {
  readonly role: NameRole;
  /** What is said of the strategy, without what tells one variant from another: `equity` of `equity_fast_5`. */
  readonly stem: string;
  /** What is left beside the stem; empty for a bare one. */
  readonly rest: readonly NamePart[];
  readonly isLog: boolean;
  /** Whether it says that its values are in percent; a `pct_change` of pandas is a fraction. */
  readonly isPercent: boolean;
  /** Whether the name speaks of a strategy rather than of an account or a day. */
  readonly isOfStrategy: boolean;
  readonly isRealized: boolean;
}

const RESTS: ReadonlySet<NamePart["kind"]> = new Set([
  "number",
  "other",
  "side",
  "modifier",
  "helper",
  "ticker",
]);
const PERCENT_NAME = /[%\uFF05]|(?<![a-z])percent|[ _]pct$|Pct$/i;
const IGNORED: ReadonlySet<NamePart["kind"]> = new Set(["neutral", "owner"]);

/** What a name says, in order of weight. A name with an unknown word has the role of its known words, and a rest. */
export function readName(name: string): ReadName {
  const parts = withHoldingPeriods(nameParts(name));
  const known = parts.filter(({ kind }) => !RESTS.has(kind));
  const isNamed = parts.at(-1)?.kind === "strategy";
  const rest = parts
    .filter(({ kind }) => RESTS.has(kind))
    .map((part) =>
      isNamed && INDICATORS.has(part.text) ? { ...part, kind: "other" as const } : part,
    );
  const has = (kind: NameClass) => known.some((part) => part.kind === kind);
  const base = {
    stem: known
      .filter(({ kind }) => !IGNORED.has(kind))
      .map(({ text }) => text.replace(/s$/, ""))
      .join(" "),
    rest,
    isLog: has("log"),
    isPercent: PERCENT_NAME.test(name),
    isOfStrategy: has("strategy"),
    isRealized: has("realized"),
  };
  const role = roleOf(has, rest, known);
  return { ...base, role: base.isPercent ? (AS_PERCENT[role] ?? role) : role };
}

/** `hold_5` is a variant that holds for five days; `hold` alone is the market's. */
function withHoldingPeriods(parts: readonly NamePart[]): readonly NamePart[] {
  if (!parts.some(({ kind }) => kind === "number")) return parts;
  return parts.map((part) =>
    part.kind === "market" && /^hold(ing)?$/.test(part.text) ? { ...part, kind: "other" } : part,
  );
}

/** Profits in percent are of the account. */
const AS_PERCENT: Partial<Record<NameRole, NameRole>> = {
  profit: "return",
  "cumulative profit": "growth",
};

/** Roles of what may be judged: with a rest they are variants of one another, or helpers. */
export const OF_STRATEGY: ReadonlySet<NameRole> = new Set<NameRole>([
  "value",
  "balance",
  "capital",
  "growth",
  "return",
  "strategy",
  "cumulative profit",
  "profit",
]);

function roleOf(
  has: (kind: NameClass) => boolean,
  rest: readonly NamePart[],
  known: readonly NamePart[],
): NameRole {
  const isHelper = rest.some(({ kind }) => kind === "helper" || kind === "modifier");
  const stem = stemRole(has, known, rest.length === 0);
  if (OF_STRATEGY.has(stem)) return stem; // a rest is looked at beside the other columns
  if (isHelper) return "helper";
  if (stem !== "unknown") return stem;
  const isTicker = rest.length > 0 && rest.every(({ kind }) => kind === "ticker");
  return isTicker ? "market" : "unknown";
}

function stemRole(
  has: (kind: NameClass) => boolean,
  known: readonly NamePart[],
  isBare: boolean,
): NameRole {
  if (has("withdrawal")) return "withdrawal";
  if (has("deposit")) return "deposit";
  const moves = ["return", "growth", "cumulative", "value"] as const;
  const isOfMarket = has("market") || ((has("asset") || has("index")) && moves.some(has));
  if (isOfMarket) return "market";
  const isOfAccount = has("value") || has("balance");
  if (isOfAccount && has("bar")) return "helper"; // the high of an equity
  if (has("close") && !isOfAccount) return has("return") || has("cumulative") ? "market" : "close";
  if (has("bar")) return "bar";
  if (has("profit")) {
    const isSum = has("cumulative") || has("total") || has("realized");
    return isSum ? "cumulative profit" : "profit";
  }
  if (has("growth")) return "growth";
  if (has("return")) return has("cumulative") || has("total") ? "growth" : "return";
  if (has("value")) return "value";
  if (has("balance")) return "balance";
  if (has("capital")) return "capital";
  if (has("cumulative")) return "growth";
  if (has("total")) return known.some(({ kind }) => kind === "owner") ? "value" : "capital";
  if (has("strategy") || (has("owner") && isBare)) return "strategy"; // my score is no account
  if (has("log")) return "return";
  if (has("time") || has("index")) return "time";
  return "unknown";
}
