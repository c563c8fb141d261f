/** Sorts tables with `data-sorts` by the column whose heading is pressed, and filters their rows by what is typed. */
for (const table of document.querySelectorAll<HTMLTableElement>("table[data-sorts]")) {
  const body = table.tBodies[0]!; // every table of ours has one
  const headings = [...table.tHead!.rows[0]!.cells]; // and a heading row
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(heading, { headings, body }));
  }
  table.parentElement!.before(filterOf(table, body));
}

function sortBy(
  heading: HTMLTableCellElement,
  table: {
    readonly headings: readonly HTMLTableCellElement[];
    readonly body: HTMLTableSectionElement;
  },
): void {
  const isText = heading.classList.contains("text") && heading.cellIndex === 0;
  const before = heading.ariaSort;
  // The first press puts the largest number first, or the first name.
  const isRising = before === null ? isText : before === "descending";
  for (const other of table.headings) other.ariaSort = null;
  heading.ariaSort = isRising ? "ascending" : "descending";
  const rows = [...table.body.rows].map((row) => ({
    row,
    key: keyOf(row.cells[heading.cellIndex]!),
  }));
  rows.sort((a, b) => (isRising ? 1 : -1) * compared(a.key, b.key));
  table.body.append(...rows.map(({ row }) => row));
}

/** What a cell is sorted by: its own order, its number, or its text. A missing figure is below all numbers. */
function keyOf({ dataset, textContent }: HTMLTableCellElement): number | string {
  if (dataset["order"] !== undefined) return Number(dataset["order"]);
  const text = textContent.trim();
  const number = Number(text.replace("−", "-").replaceAll(/[$,%+\s]/g, ""));
  if (text === "" || text === "–") return -Infinity;
  return Number.isNaN(number) ? text : number;
}

function compared(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a - b;
  return String(a).localeCompare(String(b));
}

function filterOf(table: HTMLTableElement, body: HTMLTableSectionElement): HTMLElement {
  const label = document.createElement("label");
  label.className = "field filter";
  const input = document.createElement("input");
  input.type = "search";
  label.append(`Find in ${table.dataset["sorts"]}`, input);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of body.rows)
      row.hidden = !row.cells[0]!.textContent.toLowerCase().includes(wanted); // every row has cells
  });
  return label;
}
