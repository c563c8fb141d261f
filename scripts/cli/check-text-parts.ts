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
