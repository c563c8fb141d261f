import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";

/** What a part of a report is made from. */
export interface ReportPart {
  readonly report: CheckReport;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic: boolean;
}

/** A reason of the report as a sentence; "" where there is none. */
export function asSentence(reason: string | null): string {
  if (reason === null || reason === "") return "";
  const end = /[.?!]$/.test(reason) ? "" : ".";
  return reason[0]!.toUpperCase() + reason.slice(1) + end; // not empty
}

/** What a world without skill is: the best of the tries that were counted, or one. */
export function triesWords(trials: number): string {
  return trials === 1 ? "one try" : `the best of ${decimal(trials, 0)} tries`;
}

const YEARS_FROM_DAYS = 700;
const DAYS_A_YEAR = 365.25;
const DAY_SECONDS = 86_400;

/** How long a record is: in days, from 700 on in years. */
export function spanWords({ bars, bar_seconds: seconds }: CheckReport["input"]): string {
  if (seconds === null) return `${decimal(bars, 0)} bars`;
  return daysWords((bars * seconds) / DAY_SECONDS);
}

export function daysWords(days: number): string {
  if (days <= YEARS_FROM_DAYS) return `${decimal(days, 0)} days`;
  return `${decimal(days / DAYS_A_YEAR, 1)} years`;
}

/** The names of parameters in front of their values, where the names are known: "5|40" is "fast 5, slow 40". */
export function variantWords(name: string): string {
  const parts = name.split("|");
  const isPair = parts.length === 2 && parts.every((part) => /^\d+(\.\d+)?$/.test(part.trim()));
  return isPair ? `fast ${parts[0]!.trim()}, slow ${parts[1]!.trim()}` : name; // a pair has two
}
