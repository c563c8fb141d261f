import { snakeCase } from "../quant/letter-case.ts";

/** Words that every shell takes literally. A `#` at the beginning would make a comment. */
const PLAIN_WORD = /^[\w.,:/@+-][\w.,:/@+#-]*$/;

/** A word as it is typed in a shell. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An option as it is typed: `startingCapital` is `--starting-capital`. */
export function flagName(option: string): string {
  return `--${snakeCase(option).replaceAll("_", "-")}`;
}

/** The option that says the same of the live file: `liveStartingCapital` for `startingCapital`. */
export function ofLiveFile(option: string): string {
  return `live${option[0]!.toUpperCase()}${option.slice(1)}`;
}

/** Options as they are typed. A list gives one for each of its values, and a yes the name alone. */
export function flagsOf(options: object): readonly string[] {
  return Object.entries(options).flatMap(([option, given]: [string, unknown]) => {
    const name = flagName(option);
    if (given === true || name.endsWith("-all-in")) return String(given) === "true" ? [name] : [];
    const values = [given].flat().filter((value) => ["string", "number"].includes(typeof value));
    return values.map((value) => `${name} ${shellWord(String(value))}`);
  });
}

/** The command that checks a file. A path that begins with a dash would be an option, and gets `./` before it. */
export function checkCommandOf(file: string, flags: readonly string[], space = " "): string {
  const path = /^-./.test(file) ? `./${file}` : file;
  return [`hindsight check ${shellWord(path)}`, ...flags].join(space);
}
