import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { CATALOGUE, findTemplate } from "../../quant/strategies/catalogue.ts";
import { refusedSet } from "../../quant/strategies/legal.ts";
import type { Params, Template } from "../../quant/strategies/template.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { triedDigest } from "../jobs/job-rules.ts";
import type { TriedSets } from "../jobs/job-store.ts";
import { date, described } from "./parameters.ts";

const COST_MAX_PCT = 10;
const TRIALS_MAX = 1_000_000_000;

/** What a backtest and a study may choose besides template, coin and start. `words` are those of the answer. */
export function ownMembers(words: {
  readonly [Name in "end_date" | "fee_pct" | "slippage_pct" | "n_trials"]: {
    readonly description: string;
  };
}) {
  const cost = (description: string, example: number) =>
    described(z.number().min(0).max(COST_MAX_PCT), {
      allowed: `a number from 0 to ${COST_MAX_PCT}`,
      description,
      example,
    }).optional();
  return {
    end_date: date({
      description: words.end_date.description,
      example: "2024-12-31",
    }).optional(),
    fee_pct: cost(words.fee_pct.description, 0.1),
    slippage_pct: cost(words.slippage_pct.description, 0.05),
    n_trials: described(z.int().min(1).max(TRIALS_MAX), {
      allowed: `a whole number from 1 to ${TRIALS_MAX}`,
      description: words.n_trials.description,
      example: 200,
    }).optional(),
  };
}

/** Sets as they count among those that an account tried on a coin. */
export function triedSets(
  of: { readonly template: Template; readonly coin: string; readonly startDay: number },
  sets: readonly Params[],
): TriedSets {
  return {
    scope: `${of.template.name} ${of.coin}`,
    digests: sets.map((params) => triedDigest(params, of.startDay)),
  };
}

/** Makes what `quant` refuses with a RangeError the caller's fault. */
export function orInvalid<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError("invalid_parameter", error.message);
  }
}

/** Refuses a set that is not legal, naming the parameter, its value and what is allowed. */
export function legalSet(template: Template, params: Params): Params {
  const refused = refusedSet(template, params);
  if (refused !== undefined) throw new DomainError("invalid_parameter", refused);
  return params;
}

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
