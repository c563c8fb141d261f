import { FileRefused } from "../files/refused.ts";
import { Command } from "commander";
import type { Checked, CheckFileOptions } from "../check/check-file.ts";
import { checkCommandOf, flagsOf } from "../check/command-line.ts";
import { MoreNeeded } from "../check/formats/export.ts";
import { askedText } from "../check/choices.ts";
import { checkLiveOptions } from "../check/live-options.ts";
import { CHECK_OPTIONS } from "../check/options.ts";
import { CheckReport } from "../api/check-report.ts";
import { reportJson } from "../api/report-json.ts";
import type { ReportProps } from "../web/report/report-view.tsx";
import { UsageError } from "./usage-error.ts";
import { askedLines, asOption } from "./asked-lines.ts";
import { bytesOf, checkTarget, nameOf, STANDARD_INPUT } from "./check-files.ts";
import { MADE_UP_COIN } from "./current-snapshot.ts";
import {
  checkAnswered,
  exitCodeOf,
  failOnOf,
  liveOptions,
  withLiveOptions,
  type FailOn,
} from "./check-live.ts";
import { coloured, shortText } from "./check-short.ts";
import { checkAside, type Checker } from "./check-aside.ts";
import { optionOf } from "./check-options.ts";
import { notEmpty } from "./option-values.ts";
import { jsonOption, snapshotsOption } from "./shared-options.ts";
import { terminalText } from "./terminal-text.ts";

const EXIT_ASKED = 2;

interface Options extends Omit<CheckFileOptions, "live"> {
  readonly coin?: string;
  /** The path of the live file. */
  readonly live?: string;
  readonly failOn?: FailOn;
  readonly snapshots: string;
  readonly json?: true;
  readonly html?: string;
  readonly full?: true;
  readonly matched?: string;
  readonly markdown?: string;
}

type Started = Options & { readonly checker: Checker | undefined };

/**
 * `hindsight check`: how much of a backtest may be luck, from the file that its tool wrote. It needs no server, and a
 * snapshot only with `--coin`. Exit code 1 if the verdict fails, 2 if the file is refused.
 */
export function checkCommand(checker?: Checker): Command {
  const command = new Command("check")
    .argument("<file>", "an export of returns, equity, trades or an optimiser; - is standard input")
    .addOption(snapshotsOption())
    .action((file: string, options: Options, command: Command) =>
      check(file, { ...options, checker }, command),
    );
  for (const [name, option] of Object.entries(CHECK_OPTIONS))
    command.addOption(optionOf(name, option));
  return withLiveOptions(withOutputs(command));
}

/** Adds the options about what is written. */
function withOutputs(command: Command): Command {
  return command
    .option("--html <file>", "write the report as a page, too", notEmpty("the path of a file"))
    .option(
      "--markdown <file>",
      "write the short answer as Markdown, too",
      notEmpty("the path of a file"),
    )
    .option("--full", "every figure, not the short answer")
    .addOption(jsonOption());
}

async function check(file: string, options: Started, command: Command): Promise<void> {
  try {
    await print(file, options);
  } catch (error) {
    if (error instanceof FileRefused) {
      if (options.json === true) printError("file_refused", error.message);
      throw new UsageError(error.message);
    }
    if (!(error instanceof MoreNeeded)) throw error;
    if (options.json === true)
      printError("more_needed", askedText(error.questions, asOption(error.isLive)));
    const given = flagsOf(typedIn(command));
    const commandWith = (flags: readonly string[]) =>
      checkCommandOf(file, [...given, ...flags]).replace(/^hindsight check/, commandName(command));
    const lines = askedLines(error, commandWith);
    const asks = error.isLive ? options.live! : file; // it is there
    for (const line of [`${nameOf(asks)}: ${lines[0]}`, ...lines.slice(1)])
      console.error(terminalText(line));
    if (options.markdown !== undefined) {
      const { questionsMarkdown } = await import("./check-markdown.ts");
      await write(options.markdown, questionsMarkdown(error, nameOf(asks)));
    }
    process.exitCode = EXIT_ASKED;
  }
}

/** For programs: what `POST /check` answers, with options in place of parameters. */
function printError(code: string, message: string): void {
  console.log(terminalText(JSON.stringify({ error: { code, message } })));
}

/** `hindsight check`, or `hindsight-check` where it is a program of its own. */
function commandName(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${parent.name()} ${command.name()}`;
}

/** The options that were typed, without those from the environment and the defaults. */
function typedIn(command: Command): object {
  const all = Object.entries(command.opts());
  return Object.fromEntries(all.filter(([name]) => command.getOptionValueSource(name) === "cli"));
}

async function print(file: string, options: Started): Promise<void> {
  for (const option of ["html", "matched", "markdown"] as const)
    for (const input of [file, options.live])
      if (options[option] !== undefined && input !== undefined)
        checkTarget(option, options[option], input);
  if (file === STANDARD_INPUT && options.live === STANDARD_INPUT)
    throw new UsageError(
      "standard input is one file: the backtest or the live one (--live), not both",
    );
  const failOn = failOnOf(options);
  const { series, live, isSynthetic, ...found } = await checked(file, options);
  const report = CheckReport.from(found.report);
  const shown = { report, series, live, isSynthetic, fileName: nameOf(file) };
  for (const line of await linesOf(shown, options)) console.log(line);
  if (isSynthetic && options.json !== true) console.log(`\n${MADE_UP_COIN}`);
  if (options.html !== undefined) {
    const { htmlReport } = await import("../web/report/html-report.tsx");
    const { madeToday } = await import("./report-file.ts");
    await write(options.html, htmlReport(shown, madeToday()));
  }
  if (options.markdown !== undefined) {
    const { markdownOf } = await import("./check-markdown.ts");
    await write(options.markdown, markdownOf(report, nameOf(file)));
  }
  if (options.matched !== undefined) await writeMatched(options.matched, found.matched);
  checkAnswered(report, options.failOn);
  process.exitCode = exitCodeOf(report, failOn);
}

async function writeMatched(path: string, rows: Checked["matched"]): Promise<void> {
  if (rows === undefined || rows.length === 0)
    throw new UsageError("--matched: no trades were matched, so there is nothing to write");
  const { matchedCsv } = await import("../api/matched-trades.ts");
  await write(path, matchedCsv(rows));
}

async function write(path: string, text: string): Promise<void> {
  const { writeReport } = await import("./report-file.ts");
  writeReport(path, text);
  console.error(`wrote ${terminalText(path)}`);
}

/** The lines of the report. Text from the file is escaped; the colours are ours. */
async function linesOf(
  shown: ReportProps,
  { json, full }: Pick<Options, "json" | "full">,
): Promise<readonly string[]> {
  const { report, isSynthetic } = shown;
  if (json === true) return reportJson(report, isSynthetic).split("\n").map(terminalText);
  const isWhole = full === true || report.series === null;
  // This is code of the web pages, which few checks need.
  const pages = isWhole || report.live !== null ? await import("./report-text.ts") : undefined;
  if (isWhole) return pages!.reportText(shown).map(terminalText); // imported above
  const [event, ...others] = shortText(report).map(terminalText);
  const isColoured = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  const opening = isColoured ? coloured(event!, report.verdict) : event!; // there is a sentence
  const beside = pages?.liveText(shown).map(terminalText) ?? [];
  const alone = report.live === null ? [] : ["The backtest by itself:"];
  return [...beside, ...alone, opening, ...others];
}

async function checked(file: string, options: Started): Promise<Checked> {
  const { live: path, checker, snapshots, ...said } = options;
  const besideLive = liveOptions(options, path);
  const named = { ...said, fileName: nameOf(file), live: besideLive };
  checkLiveOptions(named, path !== undefined);
  const live = path === undefined ? undefined : await bytesOf(path);
  return await checkAside(
    { backtest: await bytesOf(file), live, options: named, snapshots },
    checker,
  );
}
