/** Text that is safe between tags and in attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A number for people: four digits, or a dash. */
export function shown(value: number | null, unit = ""): string {
  return value === null || !Number.isFinite(value)
    ? "–"
    : `${Number(value.toPrecision(4))}${unit.replace(" ", "\u00A0")}`;
}

/** A table of texts; the first column names the row. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${escaped(title)}</th>`).join("");
  const body = rows.map(([name = "", ...cells]) => {
    const values = cells.map((cell) => `<td>${escaped(cell)}</td>`).join("");
    return `<tr><th scope="row">${escaped(name)}</th>${values}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** A picture, what it shows, and the same as a table for those who can't see it. */
export function figureOf(of: {
  readonly picture: string;
  readonly caption: string;
  readonly table: string;
}): string {
  return (
    `<figure>${of.picture}<figcaption>${escaped(of.caption)}</figcaption>` +
    `<details><summary>The same as a table</summary>${of.table}</details></figure>`
  );
}
