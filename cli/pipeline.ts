import { existsSync, statSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { dateOfDay, dayOfDate } from "../quant/calendar.ts";
import { pipelineMain, type PipelineOptions } from "../pipeline/main.ts";
import { dayOfInstant } from "../pipeline/sources/as-of.ts";
import { flushLog, openLog } from "../server/process/open-log.ts";
import { allowed, wholeNumber } from "./option-values.ts";
import { DEFAULT_SNAPSHOTS, parseFolder, settable, yesOrNo } from "./shared-options.ts";

const DRAWS_MAX = 10_000;
const MONTHS_MAX = 1200;

/**
 * `hindsight pipeline`: one nightly run. Exit code 0: published; 1: failed, nothing changed; 2: a wrong
 * option.
 */
export function pipelineCommand(): Command {
  const command = new Command("pipeline")
    .addOption(
      settable("--source <source>", "where prices come from: demo, csv:DIR or exchange:NAME")
        .argParser(parseSource)
        .makeOptionMandatory(),
    )
    .addOption(
      settable(
        "--board <file>",
        "JSON file of the coins [{ticker, name, symbol}] (default: 50 built in)",
      ).argParser(parseBoardFile),
    )
    .addOption(
      new Option("--out <dir>", "folder of snapshots")
        .env("HINDSIGHT_SNAPSHOTS")
        .default(DEFAULT_SNAPSHOTS)
        .argParser(parseFolder),
    )
    .addOption(
      settable(
        "--as-of <date>",
        "last day to use, YYYY-MM-DD (default: the newest complete day)",
      ).argParser(parseAsOf),
    )
    .addOption(
      settable(
        "--progress <form>",
        "text for a person or json for a log (default: text at a terminal)",
      ).choices(["text", "json"]),
    )
    .addOption(
      yesOrNo(
        "--keep-last-rows [yes|no]",
        "believe the last row of a csv file that ends before the others, which may be unfinished; refused otherwise",
      ),
    )
    .addOption(settable("--exchange-url <url>", "base address that replaces the exchange's own"))
    .action(run);
  for (const option of extentOptions()) command.addOption(option);
  return command;
}

/** The options that say how much of the slow parts is computed. */
function extentOptions(): Option[] {
  return [
    settable(
      "--index-draws <number>",
      "permutations behind the band of a month of the overfitting index (default: 200, 0 for no band)",
    ).argParser(draws),
    settable(
      "--index-bands <number>",
      "months of the overfitting index that get their band in this run, newest first (default: 1)",
    ).argParser(wholeNumber(1, MONTHS_MAX)),
    settable(
      "--robustness-draws <number>",
      "permutations of each kind behind the dataset's robustness, once a month (default: 200, 0 to skip it)",
    ).argParser(draws),
    settable(
      "--index-months <number>",
      "newest months of the overfitting index that are computed if they are missing (default: all)",
    ).argParser(wholeNumber(1, MONTHS_MAX)),
  ];
}

async function run(options: PipelineOptions): Promise<void> {
  const log = openLog({ name: "hindsight-pipeline", level: "info" });
  process.exitCode = await pipelineMain(options, { log, flush: flushLog });
}

function parseSource(value: string): string {
  if (value === "demo" || /^exchange:[a-z0-9]+$/i.test(value)) return value;
  const folder = /^csv:(.+)$/s.exec(value)?.[1];
  if (folder === undefined) {
    throw new InvalidArgumentError("Allowed are demo, csv:DIR and exchange:NAME.");
  }
  if (!existsSync(folder)) throw new InvalidArgumentError(`There is no folder "${folder}".`);
  if (!statSync(folder).isDirectory())
    throw new InvalidArgumentError(`"${folder}" is not a folder.`);
  return value;
}

function parseBoardFile(value: string): string {
  if (!existsSync(value)) throw new InvalidArgumentError(`There is no file "${value}".`);
  return value;
}

/** A single draw has no spread, so 1 is refused. */
const draws = allowed(`are 0 and whole numbers from 2 to ${DRAWS_MAX}`, (text) => {
  const number = Number(text);
  return /^\d{1,5}$/.test(text) && number !== 1 && number <= DRAWS_MAX ? number : undefined;
});

/** A day that is over in UTC: the current day is never stored. */
function parseAsOf(value: string): string {
  const yesterday = dayOfInstant(Date.now()) - 1;
  const day = dayOfDate(value);
  if (day === undefined || day > yesterday) {
    throw new InvalidArgumentError(
      `Allowed are dates YYYY-MM-DD up to yesterday (UTC), ${dateOfDay(yesterday)}.`,
    );
  }
  return value;
}
