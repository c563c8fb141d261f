import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import {
  DATASET_COINS_MAX,
  DATASET_DAYS_MIN,
  DATASET_RUNS,
} from "../../quant/dataset/definition.ts";
import { FIGURES } from "../../quant/dataset/figures.ts";
import type { Headline } from "../../quant/dataset/headline.ts";
import { WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import type { DatasetTables, Row } from "../../snapshots/dataset-tables.ts";
import { significant } from "../../quant/significant-digits.ts";
import { dateOrNull, numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { coinOf } from "./board.ts";
import { Pick, pickOf } from "./dataset-pick.ts";
import { Robustness, robustnessOf } from "./dataset-robustness.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject } from "./once-per-object.ts";
import { coin, text } from "./parameters.ts";
import type { SnapshotData } from "./snapshot-data.ts";
import { templateOf } from "./template-name.ts";

const Figure = z
  .strictObject({
    value: z.number().nullable(),
    coin_flip: numberOrNull("what a choice without information gives; null where none is made"),
    n: z.int().describe("picks, runs, cells or coins the value is taken over"),
  })
  .meta({ id: "DatasetFigure", description: "A headline figure beside its coin flip." });

const Figures = z
  .strictObject(
    Object.fromEntries(
      FIGURES.map(({ name, description, coinFlip }) => {
        const text = coinFlip === null ? description : `${description}. Coin flip: ${coinFlip}`;
        return [name, Figure.optional().describe(text)];
      }),
    ),
  )
  .meta({
    id: "DatasetFigures",
    description: "Headline figures of a part of the dataset, as far as they exist there.",
  });

const Headlines = z.strictObject({
  overall: Figures,
  by_template: z.record(z.string(), Figures),
  by_coin: z.record(z.string(), Figures),
  by_family: z.record(z.string(), Figures),
  robustness: Robustness,
  matching: Figures.nullable()
    .optional()
    .describe("over the picks that match the filters; absent without one, null when none match"),
});

const Part = z.strictObject({
  share: z.number().describe("share of each run's days"),
  start: dateOrNull("earliest first day over the coins"),
  end: dateOrNull("latest last day over the coins"),
});

const About = z.strictObject({
  version: z.string().describe("YYYY-MM; it does not change until the next month"),
  as_of: z.iso.date().describe("last day used"),
  runs_total: z.int().describe("templates x coins x variants"),
  templates: z.int(),
  coins: z.int(),
  variants: z.int(),
  in_sample: Part,
  out_of_sample: Part,
  note: z.string().nullable().describe("set when the board has too few coins for all 11,440 runs"),
});

/** GET /dataset?template=&coin= */
export const dataset = readEndpoint({
  path: "/dataset",
  operationId: "getDataset",
  tag: "Overfitting",
  summary: "What became of the best backtests: 11,440 runs, 880 picks",
  description:
    "22 templates with 13 variants on 40 coins. Of each 13 the one with the best Sharpe ratio in the first 70 % of days is the pick; the answer " +
    "shows how it did in the rest, beside what a coin flip gives. The filters narrow `picks` and add `headline.matching`. A coin of the board " +
    "whose history is too short for the dataset has no picks, and `filters.note` gives the reason.",
  query: z.strictObject({
    template: text({
      allowed: 'the name of a template such as "ma_cross"',
      description: "picks of this template only",
      example: "ma_cross",
    }).optional(),
    coin: coin("picks on this coin only").optional(),
  }),
  data: z.strictObject({
    attribution: Attribution,
    dataset: About,
    headline: Headlines,
    filters: z.strictObject({
      template: z.string().nullable(),
      coin: z.string().nullable(),
      note: z.string().nullable().describe("why nothing matches, when nothing does"),
    }),
    picks_total: z.int().describe("picks of the whole dataset"),
    picks_matching: z.int().describe("picks of this answer"),
    picks: z.array(Pick).describe("coins in board order, templates in the catalogue's"),
  }),
  examples: {
    "one template on one coin": { template: "macd_cross", coin: "btc" },
  },
  resolve(snapshot, query) {
    const { template, coin: ticker } = query;
    return {
      template: template === undefined ? undefined : templateOf(template, "template").name,
      coin: ticker === undefined ? undefined : coinOf(snapshot, ticker).ticker,
    };
  },
  *prepare(snapshot) {
    for (const pick of snapshot.dataset.picks) yield knownPick(pick);
  },
  sharedPrefix(snapshot) {
    const { about, headline } = partsOf(snapshot.dataset);
    const attribution = attributionOf(snapshot);
    const text = JSON.stringify({ attribution, dataset: about, headline });
    return text.slice(0, -2); // so that `matching` can follow in the headline
  },
  answer(snapshot, filters: Filters) {
    const { picks, about } = snapshot.dataset;
    const matching = picks.filter(
      (pick) =>
        (filters.template === undefined || pick["template"] === filters.template) &&
        (filters.coin === undefined || pick["coin"] === filters.coin),
    );
    return {
      attribution: attributionOf(snapshot),
      dataset: partsOf(snapshot.dataset).about,
      headline: headlinesOf(snapshot.dataset, filters),
      filters: {
        template: filters.template ?? null,
        coin: filters.coin ?? null,
        note: matching.length > 0 ? null : noteOf(snapshot, filters),
      },
      picks_total: about.picks,
      picks_matching: matching.length,
      picks: matching.map(knownPick),
    };
  },
});

/** A pick as JSON, which every answer that has it shares. */
const knownPick = oncePerObject(pickOf);

interface Filters {
  readonly template?: string | undefined;
  readonly coin?: string | undefined;
  readonly [name: string]: string | undefined;
}

function aboutOf({ about, picks }: DatasetTables): z.output<typeof About> {
  const { version, asOf, runs, templates, coins, variants } = about;
  const missing =
    `${coins} coins of the board have the ${WARM_UP_DAYS + DATASET_DAYS_MIN} days of history a coin needs: ` +
    `${runs} runs instead of ${DATASET_RUNS} on ${DATASET_COINS_MAX} coins`;
  return {
    version,
    as_of: dateOfDay(asOf),
    runs_total: runs,
    templates,
    coins,
    variants,
    in_sample: { share: 0.7, ...spanOf(picks, "in_sample") },
    out_of_sample: { share: 0.3, ...spanOf(picks, "out_of_sample") },
    note: coins < DATASET_COINS_MAX ? missing : null,
  };
}

/** The earliest first and the latest last day of the picks. */
function spanOf(picks: readonly Row[], prefix: string) {
  const days = (edge: string) => picks.map((pick) => Number(pick[`${prefix}_${edge}`]));
  if (picks.length === 0) return { start: null, end: null };
  return {
    start: dateOfDay(Math.min(...days("start"))),
    end: dateOfDay(Math.max(...days("end"))),
  };
}

/** The parts that are the same in every answer of a snapshot: the headline is without filters. */
const partsOf = oncePerObject((tables: DatasetTables) => {
  const by = (scope: "template" | "coin" | "family") =>
    Object.fromEntries(
      tables.headlines
        .filter((headline) => headline.scope === scope)
        .map((headline) => [headline[scope], figuresOf(headline)]),
    );
  const all = tables.headlines.find(({ scope }) => scope === "all");
  const headline = {
    overall: all === undefined ? {} : figuresOf(all),
    by_template: by("template"),
    by_coin: by("coin"),
    by_family: by("family"),
    robustness: robustnessOf(tables.robustness),
  };
  return { about: aboutOf(tables), headline };
});

function headlinesOf(tables: DatasetTables, filters: Filters): z.output<typeof Headlines> {
  const whole = partsOf(tables).headline;
  if (filters.template === undefined && filters.coin === undefined) return whole;
  const matching = matchingOf(tables, filters);
  return { ...whole, matching: matching === undefined ? null : figuresOf(matching) };
}

function matchingOf(tables: DatasetTables, { template, coin: ticker }: Filters) {
  if (template !== undefined && ticker !== undefined) return tables.cellHeadline(template, ticker);
  return tables.headlines.find((headline) =>
    template === undefined
      ? headline.scope === "coin" && headline.coin === ticker
      : headline.scope === "template" && headline.template === template,
  );
}

function figuresOf({ figures }: Headline): z.output<typeof Figures> {
  const there = figures.filter(({ value, count }) => count > 0 || !Number.isNaN(value));
  return Object.fromEntries(
    there.map(({ name, value, coinFlip, count }) => [
      name,
      { value: significant(value), coin_flip: significant(coinFlip), n: count },
    ]),
  );
}

function noteOf(snapshot: SnapshotData, { coin: ticker, template }: Filters): string {
  if (template !== undefined && !STUDIED.some(({ name }) => name === template)) {
    return `"${template}" is not one of the ${STUDIED.length} templates of the dataset`;
  }
  const { coins, version } = snapshot.dataset.about;
  const needs = `at least ${WARM_UP_DAYS + DATASET_DAYS_MIN} days of history up to ${version}`;
  if (ticker === undefined || coins === 0) return `no coin of the board has ${needs}`;
  return `"${ticker}" is not one of the ${coins} coins of the dataset: those with the longest history, ${needs}`;
}
