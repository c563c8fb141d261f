import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { progressLine } from "../../cli/progress-line.ts";

const EXIT_USAGE = 2;

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * The options of a script that is run by hand. `--help` prints the comment at the beginning of the script, which says
 * what it does and what it takes. An unknown option ends it with one line and exit code 2.
 */
export function scriptOptions<O extends Options>(scriptUrl: string, options: O) {
  helpIfAsked(scriptUrl);
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** The single argument, mostly JSON, of a script that other scripts start. */
export function scriptArgument(scriptUrl: string): string {
  helpIfAsked(scriptUrl);
  return process.argv[2] ?? refuse("an argument is missing");
}

function helpIfAsked(scriptUrl: string): void {
  if (!process.argv.slice(2).includes("--help")) return;
  const [, comment = ""] = /^\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(new URL(scriptUrl), "utf8"))!; // each has one
  console.log(comment.replace(/^ \* ?/gm, ""));
  process.exit();
}

/** The number above 0 that an option takes. */
export function positive(option: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  return refuse(`${option} takes a number above 0, got "${text}"`);
}

/** The whole number from `least` on that an option takes. */
export function whole(option: string, text: string, least = 1): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  return refuse(`${option} takes a whole number from ${least} on, got "${text}"`);
}

/** The one of several words that an option takes. */
export function oneOf<const W extends string>(
  option: string,
  text: string,
  words: readonly W[],
): W {
  const word = words.find((each) => each === text);
  return word ?? refuse(`${option} takes ${words.join(" or ")}, got "${text}"`);
}

/** Ends the script because its command line is wrong. */
export function refuse(message: string): never {
  console.error(`error: ${message}; see --help`);
  process.exit(EXIT_USAGE);
}

/**
 * Runs a script's work and ends the script, whatever is still open. If the work throws, that is one line and exit code 1.
 */
export async function main(work: () => Promise<void>): Promise<never> {
  try {
    await work();
  } catch (error) {
    progressLine("");
    console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  process.exit();
}

/** Fails with everything that did not hold, if there is anything. */
export function assertNone(faults: readonly string[]): void {
  if (faults.length > 0)
    throw new Error(`${faults.length} faults\n  ${faults.slice(0, FAULTS_SHOWN_MAX).join("\n  ")}`);
}

const FAULTS_SHOWN_MAX = 20;
