/** CSV as RFC 4180 defines it, read cell by cell: rows by the names of the header. */
export function parsedCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...cells] = rows;
  return cells.map((each) => Object.fromEntries(names.map((name, at) => [name, each[at] ?? ""])));
}
