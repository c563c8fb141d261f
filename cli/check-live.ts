import { Option, type Command } from "commander";
import type { CheckReport } from "../api/check-report.ts";
import type { LiveFileOptions } from "../check/check-file.ts";
import { ofLiveFile, READ_NAMES, READING } from "../check/options.ts";
import { UsageError } from "./usage-error.ts";
import { nameOf } from "./check-files.ts";
import { optionOf } from "./check-options.ts";
import { notEmpty } from "./option-values.ts";

const STOPS: readonly string[] = ["stop_loses", "stop_contradicted"];

/** Of `--fail-on below`, where live days are worse than promised without being a stop. */
const EXIT_BELOW = 3;

/** For each value of `--fail-on`, whether a report ends with exit code 1. The first two are about the backtest. */
const FAILING = {
  luck: ({ verdict, timing }: CheckReport) => verdict.value === "luck" || isForeknown(timing),
  inconclusive: ({ verdict }: CheckReport) => verdict.value !== "skill",
  stop: ({ live }: CheckReport) => STOPS.includes(live?.verdict.value ?? ""),
  decayed: ({ live }: CheckReport) => [...STOPS, "decayed"].includes(live?.verdict.value ?? ""),
  below: ({ live }: CheckReport) => [...STOPS, "decayed"].includes(live?.verdict.value ?? ""),
  open: ({ live }: CheckReport) => live?.verdict.value !== "holds",
};
export type FailOn = keyof typeof FAILING;
const OF_BACKTEST: readonly FailOn[] = ["luck", "inconclusive"];

const FAIL_TEXT =
  "exit with 1 on luck, or on anything but skill; of live days on a stop, on decay too, on anything but holds, " +
  "or as with decay and with 3 on below " +
  "(default: luck; with live days stop)";

/** Adds what is asked of live days, and a `--live-` copy of each option for reading a file. */
export function withLiveOptions(command: Command): Command {
  command
    .option(
      "--live <file>",
      "what it did live: is it still what the backtest promised? Options for reading it begin with --live-, as --live-format",
    )
    .option(
      "--matched <file>",
      "write all trades of both files, matched, as CSV",
      notEmpty("the path of a file"),
    )
    .addOption(new Option("--fail-on <verdict>", FAIL_TEXT).choices(Object.keys(FAILING)));
  // They are hidden because they would fill the help with what it already says.
  for (const [name, option] of Object.entries(READING))
    command.addOption(optionOf(ofLiveFile(name), option).hideHelp());
  return command;
}

/** The options for reading the live file. */
export function liveOptions(options: object, path: string | undefined): LiveFileOptions {
  const given = new Map<string, unknown>(Object.entries(options));
  const said = READ_NAMES.map((name) => [name, given.get(ofLiveFile(name))]);
  return { ...Object.fromEntries(said), fileName: path && nameOf(path), isLive: true };
}

/** The verdict that ends with exit code 1. With live days it is about them. */
export function failOnOf(asked: {
  readonly live?: string;
  readonly liveSince?: string | undefined;
  readonly failOn?: FailOn;
}): FailOn {
  const isLive = asked.live !== undefined || asked.liveSince !== undefined;
  const failOn = asked.failOn ?? (isLive ? "stop" : "luck");
  if (!OF_BACKTEST.includes(failOn) && !isLive)
    throw new UsageError(`--fail-on ${failOn} is about live days: name their file with --live`);
  return failOn;
}

/** Whether prices were known too early, and not said to be known within the bar. */
function isForeknown(timing: CheckReport["timing"]): boolean {
  const { said = null, later, fills, levels } = timing ?? {};
  const parts = [said === null ? later : null, fills?.entry, fills?.exit, levels];
  return parts.some((part) => part?.status === "found");
}

/** A question about live days can't be answered where the backtest has no days before them. */
export function checkAnswered(report: CheckReport, asked: FailOn | undefined): void {
  const without = report.input.warnings.find(({ code }) => code === "no_days_before_live");
  if (without !== undefined && asked !== undefined && !OF_BACKTEST.includes(asked))
    throw new UsageError(without.message);
}

export function exitCodeOf(report: CheckReport, failOn: FailOn): number {
  if (FAILING[failOn](report)) return 1;
  return failOn === "below" && report.live?.verdict.value === "below" ? EXIT_BELOW : 0;
}
