import { z } from "zod";
import { cellsOf } from "../../api/cells.ts";
import { DatasetPick } from "../../api/dataset-pick.ts";
import { Dataset, DatasetAbout, DatasetHeadline } from "../../api/dataset.ts";
import { tableOf } from "../../api/table.ts";
import {
  DATASET_COINS_MAX,
  DATASET_DAYS_MIN,
  DATASET_RUNS,
} from "../../quant/dataset/definition.ts";
import { WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import type { DatasetTables, Row } from "../../snapshots/dataset-tables.ts";
import { coinOf } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject, type SnapshotData, originOf } from "./snapshot-data.ts";
import { coin, template } from "./parameters.ts";
import { templateOf } from "./own-run.ts";

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
    template: template("picks of this template only").optional(),
    coin: coin("picks on this coin only").optional(),
  }),
  data: Dataset,
  rows: ({ picks }) => tableOf("picks", DatasetPick, picks),
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
    const { attribution, dataset, headline } = Dataset.from(foundIn(snapshot, {}));
    const text = JSON.stringify({ attribution, dataset, headline });
    return text.slice(0, -2); // so that `matching` can follow in the headline
  },
  answer: foundIn,
});

/** A pick as JSON, made once for all answers that have it. */
const knownPick = oncePerObject((row: Row) => DatasetPick.from(cellsOf(row)));

interface Filters {
  readonly template?: string | undefined;
  readonly coin?: string | undefined;
  readonly [name: string]: string | undefined;
}

/** As JSON, the parts that are the same in every answer of a snapshot. The headline is the one without filters. */
const sharedOf = oncePerObject((tables: DatasetTables) => ({
  about: DatasetAbout.from({ ...tables, note: coinsMissing(tables.about) }),
  headline: DatasetHeadline.from(tables),
}));

function foundIn(snapshot: SnapshotData, filters: Filters) {
  const { dataset: tables } = snapshot;
  const { template, coin: ticker } = filters;
  const picks = tables.picks.filter(
    (pick) =>
      (template === undefined || pick["template"] === template) &&
      (ticker === undefined || pick["coin"] === ticker),
  );
  const { about, headline } = sharedOf(tables);
  return {
    origin: originOf(snapshot),
    about,
    headline: { ...headline, ...matchingOf(tables, filters) },
    filters: { template, coin: ticker, note: picks.length > 0 ? null : noteOf(snapshot, filters) },
    picksTotal: tables.about.picks,
    picks: picks.map(knownPick),
  };
}

/** The figures of the picks that match, if there is a filter. */
function matchingOf(tables: DatasetTables, filters: Filters) {
  if (filters.template === undefined && filters.coin === undefined) return {};
  const matching = headlineOf(tables, filters) ?? null;
  const { matching: figures } = DatasetHeadline.from({ headlines: [], robustness: [], matching });
  return { matching: figures };
}

function coinsMissing({ coins, runs }: DatasetTables["about"]): string | null {
  if (coins >= DATASET_COINS_MAX) return null;
  return (
    `${coins} coins of the board have the ${WARM_UP_DAYS + DATASET_DAYS_MIN} days of history a coin needs: ` +
    `${runs} runs instead of ${DATASET_RUNS} on ${DATASET_COINS_MAX} coins`
  );
}

function headlineOf(tables: DatasetTables, { template, coin: ticker }: Filters) {
  if (template !== undefined && ticker !== undefined) return tables.cellHeadline(template, ticker);
  return tables.headlines.find((headline) =>
    template === undefined
      ? headline.scope === "coin" && headline.coin === ticker
      : headline.scope === "template" && headline.template === template,
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
