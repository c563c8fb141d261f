import { Command } from "commander";
import { packageVersion } from "../server/package-version.ts";
import { UsageError } from "./usage-error.ts";
import { exitCodeOf, runMain } from "./run-program.ts";
import { suggestion } from "./suggestion.ts";

/**
 * The groups of commands: what each is about, and how it is loaded. A group is loaded only when it is used, so that
 * making a key does not wait for DuckDB.
 */
const GROUPS: Readonly<Record<string, readonly [description: string, () => Promise<Command>]>> = {
  accounts: [
    "create, list and show accounts, change and delete them",
    async () => (await import("./accounts.ts")).accountsCommand(),
  ],
  check: [
    "how much of your own backtest may be luck, from the file that your tool wrote",
    async () => (await import("./check.ts")).checkCommand(),
  ],
  choice: [
    "what picking the best of a coin's 286 runs was worth, or of one template's 13: trials counted four ways, and all of CSCV",
    async () => (await import("./choice.ts")).choiceCommand(),
  ],
  keys: [
    "create, list, rotate and revoke API keys",
    async () => (await import("./keys.ts")).keysCommand(),
  ],
  mcp: [
    "the tools of assistants, over standard input and output",
    async () => (await import("./mcp.ts")).mcpCommand(),
  ],
  pipeline: [
    "read prices, compute everything, publish a snapshot",
    async () => (await import("./pipeline.ts")).pipelineCommand(),
  ],
  rerun: [
    "repeat one run of the dataset and print its figures beside the stored ones",
    async () => (await import("./rerun.ts")).rerunCommand(),
  ],
  serve: [
    "serve the published snapshot over HTTP",
    async () => (await import("./serve.ts")).serveCommand(),
  ],
  snapshot: [
    "list, verify, prune and fetch published snapshots",
    async () => (await import("./snapshot.ts")).snapshotCommand(),
  ],
  study: [
    "run every set of lists of parameters, and say how much of the best one is luck",
    async () => (await import("./study.ts")).studyCommand(),
  ],
  work: [
    "run the backtests and studies of servers that share a Redis",
    async () => (await import("./work.ts")).workCommand(),
  ],
};

/** Runs one command line of `hindsight` and resolves with its exit code. */
export function runProgram(args: readonly string[]): Promise<number> {
  return exitCodeOf(args, buildProgram);
}

/** Runs the command line of this process. */
export function main(): Promise<void> {
  return runMain(buildProgram);
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
  for (const [name, [description, load]] of Object.entries(GROUPS)) {
    const command = name === asked ? await load() : new Command(name);
    program.addCommand(command.description(description));
  }
  return program;
}

/** Refuses to help with an unknown command. commander would show the general help as if all were well. */
function checkCommand(name: string): void {
  const names = Object.keys(GROUPS);
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
