import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";

const EXIT_USAGE = 2;

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

/**
 * The options of a script that is run by hand. `--help` prints the comment at the beginning of the script,
 * which says what it does and takes. An unknown option gives one line and exit code 2, as with every command
 * here.
 */
export function scriptOptions<O extends Options>(scriptUrl: string, options: O): Values<O> {
  helpIfAsked(scriptUrl);
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** The single argument, mostly JSON, of a script that other scripts start. */
export function scriptArgument(scriptUrl: string): string {
  helpIfAsked(scriptUrl);
  return process.argv[2] ?? refuse("an argument is missing");
}

/** The value of an option that a script requires. */
export function needed(value: string | undefined, what: string): string {
  return value ?? refuse(`${what} is missing`);
}

function helpIfAsked(scriptUrl: string): void {
  if (!process.argv.slice(2).includes("--help")) return;
  console.log(leadingComment(readFileSync(new URL(scriptUrl), "utf8")));
  process.exit();
}

/** The number above 0 that an option takes. Without a check, `--seconds abc` would test nothing and call it well. */
export function positive(option: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  return refuse(`${option} takes a number above 0, got "${text}"`);
}

/** The whole number from `least` on that an option takes: half a kill would be none. */
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

/** Ends the script because its command line is wrong: one line, and exit code 2. */
export function refuse(message: string): never {
  console.error(`error: ${message}; see --help`);
  process.exit(EXIT_USAGE);
}

/** The text of the comment that a file begins with. */
function leadingComment(source: string): string {
  const lines = /^\/\*\*\n(.*?)\n \*\//s.exec(source)?.[1]?.split("\n") ?? [];
  return lines.map((line) => line.replace(/^ \* ?/, "")).join("\n");
}
