import { INDICATORS, nameParts, type NameClass, type NamePart } from "./names.ts";

/** What a column may be by its name. The values have to confirm it. */
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

/** What a name says. */
export interface ReadName {
  readonly role: NameRole;
  /** The parts that may tell one variant from another, such as `fast` and `5` in `equity_fast_5`. */
  readonly rest: readonly NamePart[];
  readonly isLog: boolean;
  /** Whether the values are in percent. A `pct_change` of pandas is a fraction. */
  readonly isPercent: boolean;
  /** Whether the name speaks of a strategy, and not of an account or a day. */
  readonly isOfStrategy: boolean;
  readonly isRealized: boolean;
  /** Whether it is a sum over all rows so far. */
  readonly isCumulative: boolean;
}

/** Roles of columns that may be judged. Beside their bare name, longer names are of variants or helpers. */
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

const RESTS: ReadonlySet<NamePart["kind"]> = new Set([
  "number",
  "other",
  "side",
  "modifier",
  "helper",
  "ticker",
]);
const PERCENT_NAME = /[%\uFF05]|(?<![a-z])percent|[ _]pct$|Pct$/i;

/** Profits in percent are of the account. */
const AS_PERCENT: Partial<Record<NameRole, NameRole>> = {
  profit: "return",
  "cumulative profit": "growth",
};

/** Reads a name. Its known words give the role, and the others are its rest. */
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
  const isPercent = PERCENT_NAME.test(name);
  const role = roleOf(has, rest);
  return {
    role: isPercent ? (AS_PERCENT[role] ?? role) : role,
    rest,
    isLog: has("log"),
    isPercent,
    isOfStrategy: has("strategy"),
    isRealized: has("realized"),
    isCumulative: has("cumulative") || has("total"),
  };
}

/** `hold_5` is a variant that holds for five days, `hold` alone is the market. */
function withHoldingPeriods(parts: readonly NamePart[]): readonly NamePart[] {
  if (!parts.some(({ kind }) => kind === "number")) return parts;
  return parts.map((part) =>
    part.kind === "market" && /^hold(ing)?$/.test(part.text) ? { ...part, kind: "other" } : part,
  );
}

type Has = (kind: NameClass) => boolean;

function roleOf(has: Has, rest: readonly NamePart[]): NameRole {
  const known = knownRole(has, rest.length === 0);
  // Costs so far and costs of trading aren't a strategy, and what is called after an indicator may be one.
  const isOfHelper = rest.some(({ kind, text }) => kind === "helper" && !INDICATORS.has(text));
  const isBareWord = (known === "growth" || known === "strategy") && !has("return");
  if (isBareWord && isOfHelper && !has("growth")) return "helper";
  if (OF_STRATEGY.has(known)) return known; // the rest is compared with those of other columns
  if (rest.some(({ kind }) => kind === "helper" || kind === "modifier")) return "helper";
  if (known !== "unknown") return known;
  const isTicker = rest.length > 0 && rest.every(({ kind }) => kind === "ticker");
  return isTicker ? "market" : "unknown";
}

/** The role of the known words, by the first rule that applies. */
function knownRole(has: Has, isBare: boolean): NameRole {
  if (has("withdrawal")) return "withdrawal";
  if (has("deposit")) return "deposit";
  const moves = ["return", "growth", "cumulative", "value"] as const;
  if (has("market") || ((has("asset") || has("index")) && moves.some(has))) return "market";
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
  if (has("total")) return has("owner") ? "value" : "capital";
  if (has("strategy") || (has("owner") && isBare)) return "strategy"; // my score isn't an account
  if (has("log")) return "return";
  if (has("time") || has("index")) return "time";
  return "unknown";
}
