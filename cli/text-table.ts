/** Rows as aligned columns under their titles, for people. */
export function textTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const lines = [titles, ...rows];
  const widths = titles.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of textTable(titles, rows)) console.log(line);
}

/** What a command prints: JSON with `--json`, else a text. */
export function printed(
  options: { readonly json?: true | undefined },
  json: object,
  text: string,
): string {
  return options.json === true ? JSON.stringify(json) : text;
}

/** An instant for people and programs alike, to the second. */
export function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length)}Z`;
}

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

const WIDTH = 80;

export type Row = readonly [string, ...string[]];

/** Breaks a text between words into lines of 80 characters. All but the first begin with `indent`. */
export function wrapped(text: string, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(line === undefined ? word : indent + word);
  }
  return lines;
}

export function digits(value: number | null): string {
  return value === null ? "none" : String(Number(value.toPrecision(4)));
}
