import { snakeCase } from "../quant/snake-case.ts";

/** What no shell reads as anything but itself; a `#` at the beginning would be a comment. */
const PLAIN_WORD = /^[\w.,:/@+-][\w.,:/@+#-]*$/;

/** A word as it is typed in a shell. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The name of an option as it is typed: `startingCapital` is `--starting-capital`. */
export function flagName(option: string): string {
  return `--${snakeCase(option).replaceAll("_", "-")}`;
}

/** The name of a reading option where it is about the live file: `startingCapital` is `liveStartingCapital`. */
export function ofLiveFile(option: string): string {
  return `live${option[0]!.toUpperCase()}${option.slice(1)}`;
}

/** Options as they are typed: a list gives one for each of its values, a yes the name alone, what is absent nothing. */
export function flagsOf(options: object): readonly string[] {
  return Object.entries(options).flatMap(([option, given]: [string, unknown]) => {
    const name = flagName(option);
    if (given === true || name.endsWith("-all-in")) return String(given) === "true" ? [name] : [];
    const values = [given].flat().filter((value) => ["string", "number"].includes(typeof value));
    return values.map((value) => `${name} ${shellWord(String(value))}`);
  });
}

/** The command that checks a file; one that begins with a dash would be read as an option. */
export function checkCommandOf(file: string, flags: readonly string[], space = " "): string {
  const path = /^-./.test(file) ? `./${file}` : file;
  return [`hindsight check ${shellWord(path)}`, ...flags].join(space);
}
