import { z } from "zod";
import { CATALOGUE, findTemplate } from "../../quant/strategies/catalogue.ts";
import { refusedSet } from "../../quant/strategies/legal.ts";
import type { Params, Template } from "../../quant/strategies/template.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { triedDigest } from "../../accounts/jobs/job-rules.ts";
import type { TriedSets } from "../../accounts/jobs/job-store.ts";
import { nearestTo } from "./nearest.ts";
import { date, described } from "./parameters.ts";

const COST_MAX_PCT = 10;
const TRIALS_MAX = 1_000_000_000;

/** The body's members that a backtest and a study share. Their descriptions, `words`, are those of the answer. */
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

/** Parameter sets in the form in which an account's tried sets of a coin are counted. */
export function triedSets(
  run: { readonly template: Template; readonly coin: string; readonly startDay: number },
  sets: readonly Params[],
): TriedSets {
  return {
    scope: `${run.template.name} ${run.coin}`,
    digests: sets.map((params) => triedDigest(params, run.startDay)),
  };
}

/** Runs a function of `quant`, whose RangeError becomes an error for the caller. */
export function orInvalid<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError("invalid_parameter", error.message);
  }
}

/** Returns a legal set. Any other throws an error with the parameter, its value and what is allowed. */
export function legalSet(template: Template, params: Params): Params {
  const refused = refusedSet(template, params);
  if (refused !== undefined) throw new DomainError("invalid_parameter", refused);
  return params;
}

const OFFERED = 3;

/** A template of the catalogue. Any other name throws an error that suggests the nearest ones. `given` is the parameter. */
export function templateOf(name: string, given: "strategy" | "template"): Template {
  const template = findTemplate(name);
  if (template !== undefined) return template;
  const names = CATALOGUE.map((known) => known.name);
  const nearest = nearestTo(name, names, OFFERED).map((known) => `"${known}"`);
  throw new DomainError(
    "unknown_strategy",
    `${given} ${quoted(name)} is not in the catalogue; nearest: ${nearest.join(", ")}; GET /strategies lists all`,
  );
}
