import type { DcaSchedule } from "../dca-plans.ts";
import { GAP_DAYS, type DcaFrequency } from "../../quant/outcomes/purchase-track.ts";

const NAMES = ["amount", "every", "from", "to", "fee"];

/** The query of a link that shows this schedule. */
export function scheduleQuery(schedule: DcaSchedule): string {
  const { amount, frequency, startDate, endDate, feePct } = schedule;
  return `?amount=${amount}&every=${frequency}&from=${startDate}&to=${endDate}&fee=${feePct}`;
}

/** The schedule of such a link, with the given one's members where it has none; undefined if it has none at all. */
export function scheduleOf(query: string, first: DcaSchedule): DcaSchedule | undefined {
  const values = new URLSearchParams(query);
  if (!NAMES.some((name) => values.has(name))) return undefined;
  const number = (name: string, otherwise: number) =>
    values.has(name) ? Number(values.get(name)) : otherwise;
  const every = values.get("every") ?? "";
  return {
    amount: number("amount", first.amount),
    frequency: Object.hasOwn(GAP_DAYS, every) ? (every as DcaFrequency) : first.frequency,
    startDate: values.get("from") ?? first.startDate,
    endDate: values.get("to") ?? first.endDate,
    feePct: number("fee", first.feePct),
  };
}
