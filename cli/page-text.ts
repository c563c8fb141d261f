import { toChildArray, type ComponentChildren, type VNode } from "preact";
import { Figure, type ChartParts } from "../web/charts/chart.tsx";
import { FACT_TITLE } from "../web/report/fact-table.tsx";
import { SAID, TITLE } from "../web/report/verdict.tsx";
import { Table, type TableProps } from "../web/table.tsx";
import { textTable, wrapped } from "./text-table.ts";

/** Elements without words for a terminal. */
const LEFT_OUT: readonly unknown[] = ["svg", "button"];
/** A report begins with its verdict's sentence, which is more than these two. */
const OF_VERDICT: readonly unknown[] = [TITLE.id, SAID];

interface Props {
  readonly id?: string;
  readonly children?: ComponentChildren;
}

/** What a page shows as lines for a terminal: headings, sentences, lists and tables. Of a picture, its title and table. */
export function pageText(view: ComponentChildren): string[] {
  const lines: string[] = [];
  for (const line of linesOf(view)) {
    const isBlank = line === "" && (lines.at(-1) ?? "") === "";
    const isRepeated = lines.at(-1) === "" && lines.at(-2) === line; // a table with the name of its section
    if (!isBlank && !isRepeated) lines.push(line);
  }
  return lines;
}

function linesOf(view: ComponentChildren): string[] {
  return toChildArray(view).flatMap((child): string[] => {
    if (typeof child !== "object") return wrapped(plain(String(child)));
    const element = child as VNode<Props>;
    const { type, props } = element;
    if (LEFT_OUT.includes(type) || OF_VERDICT.includes(props.id)) return [];
    if (type === Table) return ["", ...tableLines(props as unknown as TableProps<unknown>)];
    if (type === Figure) return pictureLines(props as unknown as ChartParts);
    if (typeof type === "function") return linesOf(componentOf(element));
    return elementLines(type, props.children);
  });
}

function elementLines(type: string, children: ComponentChildren): string[] {
  switch (type) {
    case "h1":
    case "h2":
    case "h3":
    case "summary":
      return ["", ...wrapped(wordsOf(children))];
    case "p":
      return wrapped(wordsOf(children));
    case "li":
      return wrapped(`- ${wordsOf(children)}`, "  ");
    case "dl":
      return ["", ...toChildArray(children).flatMap(figureLines)];
    case "details": {
      const [summary, ...content] = toChildArray(children) as VNode<Props>[];
      const [title] = toChildArray(summary!.props.children); // what follows it says how much is in it
      const [name, lines] = [wordsOf(title), linesOf(content)];
      const isNamed = lines.find((line) => line !== "")?.startsWith(name) === true;
      return isNamed || content[0]?.type === Table ? lines : ["", ...wrapped(name), ...lines];
    }
    default:
      return linesOf(children);
  }
}

/** A figure of a list of them: its value, then its name and what is said of it. */
function figureLines(group: ComponentChildren): string[] {
  const [name, value] = toChildArray((group as VNode<Props>).props.children);
  return wrapped(`${wordsOf(value)}: ${wordsOf(name)}`, "  ");
}

function pictureLines({ drawing, table }: ChartParts): string[] {
  return table === undefined ? [] : ["", ...wrapped(plain(drawing.title)), ...linesOf(table)];
}

function tableLines({ label, columns, rows }: TableProps<unknown>): string[] {
  const titles = columns.map(({ name }) => plain(name));
  const cells = rows.map((row) => columns.map(({ cell }) => wordsOf(cell(row))));
  const [first = [], ...others] = titles[0] === FACT_TITLE ? cells : [titles, ...cells];
  return [...wrapped(plain(label)), ...textTable(first, others)];
}

/** The text of an element, as one line. */
function wordsOf(view: ComponentChildren): string {
  return plain(spacedWords(view)).trim();
}

function spacedWords(view: ComponentChildren): string {
  const parts = toChildArray(view).map((child) => {
    if (typeof child !== "object") return String(child);
    const element = child as VNode<Props>;
    const { type, props } = element;
    if (LEFT_OUT.includes(type)) return "";
    if (typeof type === "function") return spacedWords(componentOf(element));
    return (type === "span" ? " " : "") + spacedWords(props.children);
  });
  return parts.join("");
}

function componentOf({ type, props }: VNode<Props>): ComponentChildren {
  return (type as (props: object) => ComponentChildren)(props);
}

/** Without signs that are for pages: of negative numbers, and spaces at which no line ends. */
function plain(text: string): string {
  return text
    .replaceAll("\u2212", "-")
    .replaceAll("→", "->")
    .replaceAll("\u2019", "'")
    .replaceAll(/[ \u202f]+/g, " ");
}
