import type { Plan } from "../accounts/plan.ts";

/** The `meta` of a 200 as JSON: the account after this call. */
export function metaText(
  { name }: Plan,
  used: number,
  { limit, remaining }: { readonly limit: number; readonly remaining: number },
): string {
  // Needs no escaping: the plan table only allows letters, digits, "-" and "_" in plan names.
  return `{"plan":"${name}","quota":{"used":${used},"limit":${limit},"remaining":${remaining}}}`;
}
