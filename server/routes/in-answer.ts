import { significant } from "../../quant/significant-digits.ts";
import { snakeCase } from "../../quant/snake-case.ts";

/** A value of `quant/` as answers have it: members in snake case, and each number as `number` writes it. */
export function inAnswer(value: unknown, number: typeof significant = significant): unknown {
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return value.map((item) => inAnswer(item, number));
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    members[snakeCase(name)] = inAnswer(member, number);
  }
  return members;
}
