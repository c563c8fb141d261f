import { z } from "zod";
import { Check } from "../../api/check-report.ts";
import { coinsNamed } from "../../check/market.ts";
import { FORMAT_NAMES } from "../../check/formats/read-export.ts";
import { CHECK_OPTIONS, READING, type CheckOption, type Said } from "../../check/options.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import type { SnapshotData } from "./snapshot-data.ts";
import { coinOf } from "./board.ts";
import type { CheckEndpoint } from "./endpoint.ts";
import { date, decimal, described, integer, oneOf, text, texts } from "./parameters.ts";

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format(0);
    return true;
  } catch {
    return false;
  }
}

const COLUMN = "the name of a column in the file, or its place as #3";
const TICKERS = 'lower-case tickers such as "btc" or "btc,eth"';
const ZONE = 'the name of a time zone such as "Europe/Berlin"';

/** The schema of an option's parameter. */
function parameterOf(option: CheckOption): z.ZodType {
  const { takes, sentence, example, choices, bounds = [0, 0], allowed } = option;
  const words = { description: sentence, example };
  switch (takes) {
    case "integer":
      return integer(...bounds, words);
    case "number":
      return decimal(...bounds, allowed === undefined ? words : { ...words, allowed });
    case "choice":
      return oneOf(choices!, words); // as the table of options has it
    case "yes":
      return oneOf(["true", "false"], words);
    case "format":
      return oneOf(FORMAT_NAMES as [string, ...string[]], words);
    case "date":
      return date(words);
    case "timezone":
      return described(z.string().refine(isTimeZone), { ...words, allowed: ZONE });
    case "columns":
      return texts({ ...words, allowed: COLUMN });
    case "column":
      return text({ ...words, allowed: COLUMN });
    case "tickers":
      return text({ ...words, allowed: TICKERS });
    case "text":
      return text({ ...words, allowed: allowed! }); // as the table of options has it
  }
}

/** The parameters of options, with a word before their names. */
const parametersOf = (options: Readonly<Record<string, CheckOption>>, prefix: string) =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      prefix + snakeCase(name),
      parameterOf(option).optional(),
    ]),
  );

const Query = z.strictObject({
  ...parametersOf(CHECK_OPTIONS, ""),
  ...parametersOf(READING, "live_"),
});

/** What parameters say of these options. */
function saidIn<Options extends Readonly<Record<string, CheckOption>>>(
  query: Readonly<Record<string, unknown>>,
  options: Options,
  prefix: string,
): Said<Options> {
  const said = Object.entries(options).map(([name, { takes }]) => {
    const value = query[prefix + snakeCase(name)];
    return [name, takes === "yes" ? value === "true" : value];
  });
  return Object.fromEntries(said) as Said<Options>; // by the schema
}

/** The coins as named, if the board has one of them. */
function coinsKnown(snapshot: SnapshotData, coins: string): string {
  const names = coinsNamed(coins);
  const isKnown = names.some((name) => snapshot.coins.some(({ ticker }) => ticker === name));
  return names.length > 1 && isKnown ? names.join(",") : coinOf(snapshot, coins).ticker;
}

/** POST /check */
export const check: CheckEndpoint<typeof Query> = {
  kind: "check",
  path: "/check",
  operationId: "postCheck",
  tag: "Overfitting",
  summary: "How much of your own backtest may be luck",
  description:
    "The body is a file as a backtesting tool wrote it: returns, equity, trades, or everything that an optimiser tried. Its format is recognised by content. To hold live days to it, send `multipart/form-data` with the parts `backtest` and `live`, or one file with `live_since`. At most 16 MiB, and 400,000 variants times bars; `hindsight check FILE` takes more. Nothing sent is kept. Costs the plan's check units; a file that is refused costs nothing.",
  query: Query,
  data: Check,
  optionsOf(snapshot, query) {
    const said = saidIn(query, CHECK_OPTIONS, "");
    const coin = said.coin === undefined ? undefined : coinsKnown(snapshot, said.coin);
    return { ...said, coin, live: saidIn(query, READING, "live_") };
  },
};
