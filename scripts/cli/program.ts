import { Command, CommanderError } from "commander";
import { packageVersion } from "./package-version.ts";
import { cutMessage } from "../../quant/cut-message.ts";
import { AccountsRefused } from "../../server/accounts/refused.ts";
import { UsageError } from "../support/usage-error.ts";
import { suggestion } from "./suggestion.ts";
import { terminalText } from "./terminal-text.ts";

/**
 * The command line. Each group of commands is a file of its own, loaded only when it is used, so that
 * making a key does not wait for DuckDB.
 */
interface CommandGroup {
  readonly name: string;
  readonly description: string;
  load(): Promise<Command>;
}

const GROUPS: readonly CommandGroup[] = [
  {
    name: "accounts",
    description: "create, list and show accounts, change their plan",
    load: async () => (await import("./accounts.ts")).accountsCommand(),
  },
  {
    name: "check",
    description: "how much of your own backtest may be luck",
    load: async () => (await import("./check.ts")).checkCommand(),
  },
  {
    name: "choice",
    description: "what picking the best backtest of a coin was worth",
    load: async () => (await import("./choice.ts")).choiceCommand(),
  },
  {
    name: "figures",
    description: "print the headline figures of the dataset beside those of a coin flip",
    load: async () => (await import("./figures.ts")).figuresCommand(),
  },
  {
    name: "keys",
    description: "create, list, rotate and revoke API keys",
    load: async () => (await import("./keys.ts")).keysCommand(),
  },
  {
    name: "pipeline",
    description: "read prices, compute everything, publish a snapshot",
    load: async () => (await import("./pipeline.ts")).pipelineCommand(),
  },
  {
    name: "rerun",
    description: "repeat one run of the dataset and compare its figures",
    load: async () => (await import("./rerun.ts")).rerunCommand(),
  },
  {
    name: "serve",
    description: "serve the published snapshot over HTTP",
    load: async () => (await import("./serve.ts")).serveCommand(),
  },
  {
    name: "snapshot",
    description: "list, verify and prune published snapshots",
    load: async () => (await import("./snapshot.ts")).snapshotCommand(),
  },
  {
    name: "study",
    description: "run every set of lists of parameters, and say how much of the best is luck",
    load: async () => (await import("./study.ts")).studyCommand(),
  },
  {
    name: "work",
    description: "run the backtests and studies of servers that share a Redis",
    load: async () => (await import("./work.ts")).workCommand(),
  },
];

const EXIT_FAILED = 1;
/** The exit code for a wrong command line, as most Unix tools have it. */
const EXIT_USAGE = 2;

/** A plan file is named on the command line, so a fault in it is a fault of the command line. */
function isUsageFault(error: unknown): boolean {
  if (error instanceof AccountsRefused) return error.code === "bad_plans";
  return error instanceof UsageError;
}

/** Runs one command line and resolves with its exit code. A failure becomes one line on standard error. */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    const program = await buildProgram(args);
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? 0 : EXIT_USAGE; // commander has printed it
    console.error(`error: ${oneLine(error instanceof Error ? error.message : String(error))}`);
    return isUsageFault(error) ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** The program with the requested group or, for help, with the names of all groups. */
async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("hindsight")
    .description("How crypto strategies really did, and how much of a good backtest is luck.")
    .version(packageVersion(), "--version", "print the version")
    .addHelpText("after", HELP);
  const asked = args[0] === "help" ? args[1] : args[0];
  const asksForHelp = args[0] === "help" || args.includes("--help") || args.includes("-h");
  if (asksForHelp && asked !== undefined) checkCommand(asked);
  for (const group of GROUPS) {
    const loaded = group.name === asked;
    program.addCommand(
      loaded ? await group.load() : new Command(group.name).description(group.description),
    );
  }
  speakPlainly(program);
  return program;
}

/** For a name it does not know, commander would show the general help as if all were well. */
function checkCommand(name: string): void {
  const names = GROUPS.map((group) => group.name);
  if (names.includes(name) || name === "help" || name.startsWith("-")) return;
  const known = `the commands are ${names.join(", ")}${suggestion(name, names)}`;
  throw new UsageError(`there is no command "${name}": ${known}`);
}

const HELP = `
Nearly every option can also be given as an environment variable: each command's --help names them.
Exit codes: 0 done, 1 failed, 2 a wrong command line.

Start here:
  hindsight pipeline --source demo            publish a made-up market
  hindsight accounts create --email you@example.com
  hindsight serve                             then ask http://127.0.0.1:8080/v1/signals?coin=btc`;

/** Makes a command and everything below it report errors in one line, without ending the process. */
function speakPlainly(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .configureHelp({ sortSubcommands: true });
  requireLast(command);
  for (const child of command.commands) speakPlainly(child);
}

/** Complains about missing required options only after unknown ones: a misspelt option is both. */
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

/** Whether help was requested. Help shown because a command is missing means a wrong command line. */
function isHelp({ exitCode }: CommanderError): boolean {
  return exitCode === 0;
}

function oneLine(text: string): string {
  return terminalText(cutMessage(text.trim().replace(/\s*\n\s*/g, " ")));
}
