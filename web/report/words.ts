import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";

/** A phrase of the report as a sentence, with a capital and a full stop; "" where there is none. */
export function asSentence(reason: string | null): string {
  if (reason === null || reason === "") return "";
  const end = /[.?!]$/.test(reason) ? "" : ".";
  return reason[0]!.toUpperCase() + reason.slice(1) + end; // it is not empty
}

/** The tries that each world without skill makes: "the best of 13 tries". */
export function triesWords(trials: number): string {
  return trials === 1 ? "one try" : `the best of ${decimal(trials, 0)} tries`;
}

/** What the variant that was judged was chosen from: "the best of 13"; undefined for a single try. */
export function choiceWords(input: CheckReport["input"]): string | undefined {
  const { variants, options, n_trials: trials } = input;
  const of = decimal(variants, 0);
  if (variants < 2)
    return trials.source === "declared" && trials.value > 1 ? triesWords(trials.value) : undefined;
  return options["selected"] === undefined ? `the best of ${of}` : `one of ${of}, as you chose`;
}

const NAME_MAX = 10;

/** A market as tables and pictures name it, which have less room than the name of a column may take. */
export function marketName(name: string): string {
  const shown = name.toUpperCase();
  return shown.length > NAME_MAX ? `${shown.slice(0, NAME_MAX - 1)}…` : shown;
}

const YEARS_FROM_DAYS = 700;
const DAYS_A_YEAR = 365.25;
const DAY_SECONDS = 86_400;

/** The length of a record in days, or in years from 700 days on. */
export function spanWords({ bars, bar_seconds: seconds }: CheckReport["input"]): string {
  if (seconds === null) return `${decimal(bars, 0)} bars`;
  const days = (bars * seconds) / DAY_SECONDS;
  if (days <= YEARS_FROM_DAYS) return `${decimal(days, 0)} days`;
  return `${decimal(days / DAYS_A_YEAR, 1)} years`;
}

/** A variant whose name is a pair of numbers, with the parameters named: "5|40" is "fast 5, slow 40". */
export function variantWords(name: string): string {
  const parts = name.split("|");
  const isPair = parts.length === 2 && parts.every((part) => /^\d+(\.\d+)?$/.test(part.trim()));
  return isPair ? `fast ${parts[0]!.trim()}, slow ${parts[1]!.trim()}` : name; // a pair has both
}
