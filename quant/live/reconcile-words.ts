import { dateOfDay } from "../calendar.ts";
import { dayOf } from "../check/ordered-rows.ts";
import type { CheckWarning } from "../check/panel.ts";
import {
  CHANCE_T,
  POINTS_MIN,
  type Cause,
  type MatchedRow,
  type TradesReconciled,
} from "./reconcile.ts";

/** Differences below this many points are none, if no cause is above the other. */
const AGREE_MAX = 0.05;
const CAUSE_AGREE_MAX = 0.5;
/** At most so many causes are named, and no more once this share of the difference is. */
const NAMED_MAX = 3;
const NAMED_SHARE = 0.9;

/** What a table and a picture call the causes. */
export const CAUSE_NAMES: Readonly<Record<Cause["cause"], string>> = {
  missing: "not taken live",
  extra: "not in the backtest",
  entry_time: "entry times",
  entry_price: "entry prices",
  exit_time: "exit times",
  exit_price: "exit prices",
  size: "size",
  fees: "fees",
  funding: "funding",
  result: "other results",
  rest: "unexplained",
  drag: "drag a day",
};

/** What a sentence is made from. Rows are missing where daily returns were compared. */
export interface Compared {
  readonly backtestPoints: number;
  readonly livePoints: number;
  readonly causes: readonly Cause[];
  readonly sizeRatio: number;
  readonly rows?: readonly MatchedRow[] | undefined;
}

export function isMoreThanChance({ t }: Cause): boolean | null {
  return Number.isNaN(t) ? null : Math.abs(t) >= CHANCE_T;
}

/** One sentence on why live differs. Points are percent of each record's own account. */
export function differenceSentence(compared: Compared): string {
  const program = otherProgram(compared.rows ?? []);
  if (program !== undefined) return program;
  const difference = compared.livePoints - compared.backtestPoints;
  const largest = compared.causes.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const totals = `${points(compared.livePoints)} against ${points(compared.backtestPoints)} points`;
  const named = (cause: Cause) => `${causeWords(cause, compared)}${chance(cause)}`;
  if (Math.abs(difference) < AGREE_MAX) {
    if (!(Math.abs(largest[0]?.points ?? 0) > CAUSE_AGREE_MAX))
      return `Live and the backtest agree: ${totals}.`;
    const both = largest.slice(0, 2).map((cause) => `${points(cause.points)} from ${named(cause)}`);
    return `Live and the backtest agree, ${totals}, by causes that cancel: ${both.join(", ")}.`;
  }
  const sign = Math.sign(difference);
  const along = largest.filter((cause) => cause.points * sign > 0);
  const against = largest.filter((cause) => cause.points * sign < 0);
  const parts: string[] = [];
  let left = sum(along);
  for (const cause of along.slice(0, NAMED_MAX)) {
    if (sum(along) - left >= NAMED_SHARE * difference * sign) break;
    left -= Math.abs(cause.points);
    parts.push(`${points(Math.abs(cause.points))} from ${named(cause)}`);
  }
  if (left > (1 - NAMED_SHARE) * difference * sign) parts.push(`${points(left)} from the rest`);
  const direction = sign < 0 ? "behind" : "ahead of";
  const opening = `Live is ${points(Math.abs(difference))} points ${direction} the backtest`;
  return `${opening}: ${parts.join(", ")}${backWords(against, difference, compared)}.`;
}

/** What went the other way, if it is more than a tenth of the difference. */
function backWords(against: readonly Cause[], difference: number, compared: Compared): string {
  const back = sum(against);
  if (back <= (1 - NAMED_SHARE) * Math.abs(difference)) return "";
  const [most] = against;
  const who =
    Math.abs(most!.points) >= NAMED_SHARE * back ? causeWords(most!, compared) : "other causes";
  return `; ${who} ${difference < 0 ? `gave ${points(back)} back` : `took ${points(back)} away`}`;
}

function sum(causes: readonly Cause[]): number {
  return causes.reduce((total, cause) => total + Math.abs(cause.points), 0);
}

function chance(cause: Cause): string {
  return isMoreThanChance(cause) === false ? " (which may be chance)" : "";
}

/** One decimal from 1 on, else two digits. */
function points(value: number): string {
  return Math.abs(value) >= 0.995 ? value.toFixed(1) : String(Number(value.toFixed(2)) + 0);
}

/** Fewer than a third of the trades of either list have a partner. */
function otherProgram(rows: readonly MatchedRow[]): string | undefined {
  const count = (cause: MatchedRow["cause"]) => rows.filter((row) => row.cause === cause).length;
  const pairs = count("matched");
  const most = pairs + Math.max(count("missing"), count("extra"));
  if (rows.length === 0 || 3 * pairs >= most) return undefined;
  return `It is not the same program: ${pairs} of ${most} trades match.`;
}

/** A cause in words: how many, and which way for most of its pairs. */
export function causeWords({ cause, count, points: all }: Cause, compared: Compared): string {
  const pairs = (compared.rows ?? []).filter(
    ({ parts }) => Math.abs(parts[cause as "size"] ?? 0) > POINTS_MIN,
  );
  const most = (holds: (row: MatchedRow) => boolean) =>
    2 * pairs.filter(holds).length >= pairs.length;
  const late = (side: "entry" | "exit") =>
    most(({ backtest, live }) => live![side] > backtest![side]) ? "later" : "earlier"; // pairs have both
  const worse = most(({ parts }) => parts[cause as "size"]! < 0) ? "worse" : "better"; // filtered
  const trades = count === 1 ? "1 trade" : `${count} trades`;
  const size = `(${compared.sizeRatio.toFixed(2)} of the size)`;
  const larger = compared.sizeRatio < 1 ? "smaller" : "larger";
  if (compared.rows === undefined) {
    if (cause === "missing") return "days without a position";
    if (cause === "extra") return "days on which the backtest had none";
    if (cause === "size") return `a ${larger} position ${size}`;
    return `a drag of ${points(Math.abs(all) / count)} points a day`;
  }
  const words: Readonly<Record<string, () => string>> = {
    missing: () => `${trades} that it did not take`,
    extra: () => `${trades} that the backtest had not`,
    entry_time: () => `${late("entry")} entries`,
    entry_price: () => `${worse} entry prices`,
    exit_time: () => `${late("exit")} exits`,
    exit_price: () => `${worse} exit prices`,
    size: () => `${larger} trades ${size}`,
    result: () => "other results of the same trades",
    rest: () => "what prices and fees don't explain",
  };
  return words[cause]?.() ?? cause;
}

/** Notes on two lists of trades, each with its number. They say what coincided, and never why. */
export function tradeNotes(reconciled: TradesReconciled): CheckWarning[] {
  const rows = reconciled.rows.filter(({ cause }) => cause !== "left_out");
  const missing = rows.filter(({ cause }) => cause === "missing");
  const notes: (CheckWarning | undefined)[] = [
    coinsNote(reconciled.rows, "missing"),
    coinsNote(reconciled.rows, "extra"),
    slotsNote(reconciled.rows, missing),
    downNote(rows),
    betterMissedNote(reconciled.causes),
    unexplainedNote(reconciled.causes),
    reconciled.endedEarly === undefined
      ? undefined
      : note(
          "live_ends_early",
          `live has no trade after ${dateAt(reconciled.endedEarly)}; later ones of the backtest are left out`,
        ),
    reconciled.barSeconds === undefined
      ? note(
          "bar_unknown",
          "the backtest's entries show no bar, so entries more than 30 s apart count as late",
        )
      : undefined,
  ];
  return notes.filter((each) => each !== undefined);
}

function note(code: string, message: string): CheckWarning {
  return { code, message };
}

function dateAt(instant: number): string {
  return dateOfDay(dayOf(instant));
}

function coinsNote(rows: readonly MatchedRow[], cause: "missing" | "extra") {
  const [side, other] =
    cause === "missing" ? (["backtest", "live"] as const) : (["live", "backtest"] as const);
  const traded = new Set(rows.map((row) => row[other]?.coin));
  const ofCause = rows.filter((row) => row.cause === cause);
  const among = ofCause.filter((row) => !traded.has(row[side]!.coin)); // a row has the side of its cause
  if (among.length === 0) return undefined;
  const who = cause === "missing" ? "live" : "the backtest";
  const kind = cause === "missing" ? "missing" : "extra";
  return note(
    "coins_not_traded",
    `${among.length} of the ${ofCause.length} ${kind} trades are in coins that ${who} never traded`,
  );
}

/** At least half of the missing trades, and three, came while live held as many positions as it ever did. */
function slotsNote(rows: readonly MatchedRow[], missing: readonly MatchedRow[]) {
  const live = rows.flatMap((row) => row.live ?? []);
  const [entries, exits] = [live.map(({ entry }) => entry), live.map(({ exit }) => exit)].map(
    (instants) => Float64Array.from(instants).toSorted(),
  );
  const heldAt = (instant: number) => upTo(entries!, instant) - upTo(exits!, instant);
  const most = live.reduce((held, { entry }) => Math.max(held, heldAt(entry)), 0);
  const full = missing.filter(({ backtest }) => heldAt(backtest!.entry) >= most).length;
  if (full < 3 || 2 * full < missing.length) return undefined;
  const positions = most === 1 ? "1 position" : `${most} positions`;
  return note(
    "slots_full",
    `${full} of the ${missing.length} trades that live missed came while it held ${positions}, the most it ever held`,
  );
}

/** How many of the ascending values are at most a limit. */
function upTo(values: Float64Array, limit: number): number {
  let [from, end] = [0, values.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    if (values[middle]! <= limit) from = middle + 1;
    else end = middle;
  }
  return from;
}

/** A run of missing trades that is too long for omissions at random: n p^r below 0.01. */
function downNote(rows: readonly MatchedRow[]) {
  const ofBacktest = rows
    .filter(({ backtest }) => backtest !== undefined)
    .toSorted((a, b) => a.backtest!.entry - b.backtest!.entry); // filtered
  let [run, longest, end] = [0, 0, 0];
  for (const [index, { cause }] of ofBacktest.entries()) {
    run = cause === "missing" ? run + 1 : 0;
    if (run > longest) [longest, end] = [run, index];
  }
  const share = ofBacktest.filter(({ cause }) => cause === "missing").length / ofBacktest.length;
  if (longest < 3 || !(ofBacktest.length * share ** longest < 0.01)) return undefined;
  const [from, to] = [end - longest + 1, end].map((at) => dateAt(ofBacktest[at]!.backtest!.entry));
  return note("down", `${longest} trades in a row are missing, from ${from} to ${to}`);
}

function betterMissedNote(causes: readonly Cause[]) {
  const missing = causes.find(({ cause }) => cause === "missing");
  if (missing === undefined || missing.points >= 0 || isMoreThanChance(missing) !== true)
    return undefined;
  return note(
    "better_missed",
    `the ${missing.count} trades that live missed were better than chance would pick`,
  );
}

function unexplainedNote(causes: readonly Cause[]) {
  const rest = causes.find(({ cause }) => cause === "rest");
  if (rest === undefined || !(Math.abs(rest.points) > 0.1 * sum(causes))) return undefined;
  return note(
    "unexplained",
    `prices, sizes, fees and funding leave ${points(rest.points)} points unexplained: a file without fees has them here`,
  );
}
