import type { VerdictValue } from "./report.ts";

const NAMES: Readonly<Record<VerdictValue, string>> = {
  skill: "Luck would rarely do this",
  inconclusive: "Too close to call",
  luck: "Luck does this often",
};

/** What a verdict is called wherever people read it. */
export function eventName(value: VerdictValue, isWithheld: boolean): string {
  return isWithheld ? "Not judged" : NAMES[value];
}
