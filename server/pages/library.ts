import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOCS_PATH, MENU } from "./docs-folder.ts";
import { docTextOf, slugOf, type DocText, type Heading, type Section } from "./doc-text.ts";

export interface OperationName {
  /** Method and path, as in the headings of `docs/api.md`: `GET /signals`. */
  readonly title: string;
  readonly summary: string;
}

/** The file of `docs/` whose sections about operations are shown together with the reference of the operation. */
const API = "api";

export interface Part extends Heading {
  readonly path: string;
  readonly headings: readonly Heading[];
  readonly section: Section | undefined;
  readonly operation: OperationName | undefined;
}

export interface Doc extends DocText {
  readonly name: string;
  readonly path: string;
  readonly label: string;
  readonly purpose: string;
  /** The title of its group in the menu. */
  readonly group: string;
  /** The pages that the file is divided into; none if it is a single page. */
  readonly parts: readonly Part[];
}

export function readLibrary(folder: string, operations: readonly OperationName[]): readonly Doc[] {
  return Object.entries(MENU).flatMap(([group, pages]) =>
    Object.entries(pages).map(([name, { label, purpose, isParted = false }]) => {
      const text = docTextOf(readFileSync(join(folder, `${name}.md`), "utf8"));
      const path = `${DOCS_PATH}/${name}`;
      const parts = isParted ? partsOf(path, text, name === API ? operations : []) : [];
      return { ...text, name, path, label, purpose, group, parts };
    }),
  );
}

function partsOf(
  path: string,
  { sections }: DocText,
  operations: readonly OperationName[],
): readonly Part[] {
  const described = sections.map((section) => ({
    id: section.id,
    title: section.title,
    path: `${path}/${section.id}`,
    headings: section.headings,
    section,
    operation: operations.find(({ title }) => title === section.title),
  }));
  const rest = operations
    .filter(({ title }) => sections.every((section) => section.title !== title))
    .map((operation) => {
      const id = slugOf(operation.title);
      const { title } = operation;
      return { id, title, path: `${path}/${id}`, headings: [], section: undefined, operation };
    });
  return [...described, ...rest];
}

/** Where the heading with this id is shown. */
export function addressIn({ path, parts }: Doc, id: string): string {
  const part = parts.find((each) => each.id === id);
  if (part !== undefined) return part.path;
  const whole = parts.find(({ headings }) => headings.some((heading) => heading.id === id));
  return id === "" ? path : `${whole?.path ?? path}#${id}`;
}

/** The addresses of all pages, in the order of reading. */
export function pathsOf(library: readonly Doc[]): readonly string[] {
  return library.flatMap(({ path, parts }) => [path, ...parts.map((part) => part.path)]);
}
