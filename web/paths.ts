/** What a page may be about: names from the snapshot in force. */
export interface Subjects {
  readonly coins: readonly string[];
  readonly templates: readonly string[];
}

export type PageType = "html" | "svg" | "csv";

const FIXED: ReadonlyMap<string, PageType> = new Map([
  ["/", "html"],
  ["/index", "html"],
  ["/index.svg", "svg"],
  ["/index.csv", "csv"],
] as const);

/** What kind of page a path leads to; undefined if it leads to none. */
export function pageTypeOf(path: string, _subjects: Subjects): PageType | undefined {
  return FIXED.get(path);
}
