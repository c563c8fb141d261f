import { Option } from "commander";
import { flagName } from "../check/command-line.ts";
import { FORMAT_NAMES } from "../check/formats/read-export.ts";
import type { CheckOption } from "../check/options.ts";
import { zoneOffset } from "../files/times.ts";
import { allowed, date, lowerCase, numberThat, wholeNumber } from "./option-values.ts";

/** An option of a check as the command line has it. */
export function optionOf(name: string, about: CheckOption): Option {
  const { takes, sentence, choices, bounds: [least, most] = [0, 0] } = about;
  const flag = flagName(name);
  const named = (value: string) => new Option(`${flag} <${value}>`, sentence);
  switch (takes) {
    case "yes":
      return new Option(flag, sentence);
    case "integer":
      return named("number").argParser(wholeNumber(least, most));
    case "number":
      return named("number").argParser(above(least, most));
    case "date":
      return named("date").argParser(date);
    case "timezone":
      return named("name").argParser(zone);
    case "tickers":
      return named("tickers").argParser(lowerCase);
    case "columns":
      return named("name").argParser(collected);
    case "choice":
    case "format":
      return named("name").choices(choices ?? FORMAT_NAMES);
    case "column":
    case "text":
      return named("name");
  }
}

const above = (least: number, most: number) =>
  numberThat(
    `numbers above ${least}, at most ${most}`,
    (number) => number > least && number <= most,
  );

const collected = (name: string, before: readonly string[] | undefined) => [
  ...(before ?? []),
  name,
];

const zone = allowed("are names of time zones, such as Europe/Berlin", (name) => {
  try {
    zoneOffset(name);
    return name;
  } catch {
    return undefined;
  }
});
