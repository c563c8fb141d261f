import { CommanderError, type Command } from "commander";
import { cutMessage } from "../quant/cut-message.ts";
import { AccountsRefused } from "../accounts/refused.ts";
import { UsageError } from "./usage-error.ts";
import { terminalText } from "./terminal-text.ts";

const EXIT_FAILED = 1;
/** The exit code for a wrong command line, as most Unix tools have it. */
const EXIT_USAGE = 2;

/** Runs the process's command line, and ends the process with its exit code. */
export async function runMain(
  build: (args: readonly string[]) => Command | Promise<Command>,
): Promise<void> {
  // A reader that stops early (`hindsight accounts list | head`) isn't a failure. A full disk is one.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    console.error(`error: cannot write to standard output: ${error.message}`);
    process.exit(1);
  });
  const exitCode = await exitCodeOf(process.argv.slice(2), build);
  // With 0, the exit code that a command set for itself is kept. Otherwise exit, whatever is still open: a channel to the
  // parent would keep the process alive, and a signal that it has already handled would not end it.
  if (exitCode !== 0) process.exit(exitCode);
}

/** Runs one command line and resolves with its exit code. A failure becomes one line on standard error. */
export async function exitCodeOf(
  args: readonly string[],
  build: (args: readonly string[]) => Command | Promise<Command>,
): Promise<number> {
  try {
    const program = await build(args);
    speakPlainly(program);
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // commander has printed it. Its exit code is 0 for help that was requested, not for help in place of a command.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    console.error(`error: ${oneLine(error instanceof Error ? error.message : String(error))}`);
    // A plan file is named on the command line, so a fault in it is a fault of the command line.
    const isBadPlans = error instanceof AccountsRefused && error.code === "bad_plans";
    return isBadPlans || error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** Makes a command and its subcommands report errors in one line, without ending the process. */
function speakPlainly(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .configureHelp({ sortSubcommands: true });
  requireLast(command);
  for (const child of command.commands) speakPlainly(child);
}

/** Reports missing required options only after unknown ones, because a misspelt option is both. */
function requireLast(command: Command): void {
  const required = command.options.filter((option) => option.mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook("preAction", (_, action) => {
    const missing = required.find(
      (option) => action === command && action.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing !== undefined) action.error(`error: required option '${missing.flags}' not given`);
  });
}

function oneLine(text: string): string {
  return terminalText(cutMessage(text.trim().replace(/\s*\n\s*/g, " ")));
}
