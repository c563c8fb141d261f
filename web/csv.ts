/** Objects as RFC 4180 text with a header row. Members of members are columns of their own: `components.pbo`. */
export function csvOf(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(cellsOf(row, "")));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const lines = flat.map((row) => names.map((name) => quoted(row.get(name) ?? "")).join(","));
  return [names.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function cellsOf(value: object, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (member === null) return [];
    if (typeof member === "object") return cellsOf(member, `${prefix}${name}.`);
    return [[prefix + name, String(member as string | number | boolean)]];
  });
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
