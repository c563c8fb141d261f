import { distance } from "fastest-levenshtein";
import { CATALOGUE, findTemplate } from "../../quant/strategies/catalogue.ts";
import type { Template } from "../../quant/strategies/template.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";

const OFFERED = 3;
/** Longer than any name. The distance to an even longer text is not needed. */
const COMPARED_MAX = 40;

/**
 * A template of the catalogue. Any other name throws an error that suggests the nearest ones: first those that
 * contain what was typed (macd: macd_cross), then by edits. `given` is what the caller calls it.
 */
export function templateOf(name: string, given: "strategy" | "template"): Template {
  const template = findTemplate(name);
  if (template !== undefined) return template;
  const typed = name.trim().toLowerCase().slice(0, COMPARED_MAX);
  const nearest = CATALOGUE.map((known) => ({ known, edits: editsTo(known.name, typed) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, OFFERED)
    .map(({ known }) => `"${known.name}"`);
  throw new DomainError(
    "unknown_strategy",
    `${given} ${quoted(name)} is not in the catalogue; nearest: ${nearest.join(", ")}`,
  );
}

function editsTo(known: string, typed: string): number {
  return known.includes(typed) ? 0 : distance(typed, known);
}
