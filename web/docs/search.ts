import MiniSearch from "minisearch";

/** A section of the documentation, as the search reads it. */
export interface SearchSection {
  readonly path: string;
  /** The page it is part of. */
  readonly page: string;
  readonly title: string;
  /** Without marks. */
  readonly text: string;
}

export interface SearchHit {
  readonly path: string;
  readonly page: string;
  readonly title: readonly Piece[];
  readonly excerpt: readonly Piece[];
}

/** Text that is one of the words that were found, or that lies between them. */
export interface Piece {
  readonly text: string;
  readonly isWord: boolean;
}

export type Search = (query: string) => readonly SearchHit[];

const QUERY_LENGTH_MAX = 100;
const HITS_MAX = 20;
const BEFORE_WORD = 60;
const EXCERPT_LENGTH = 200;
/** What a word in the title, or in the page's name, counts for, against one in the text. */
const BOOST = { title: 5, page: 2 };
/** What a page counts for: those that say what to do come before those that list columns, changes and reasons. */
const BOOST_OF_PAGE = [
  [/^\/docs\/(check|studies|live)(#|$)/, 2],
  [/^\/docs\/(data|changes|decisions)\b/, 0.5],
] as const;

/** Makes the search. A word also finds those that begin with it. Without a section that has all words, some do. */
export function searchOf(sections: readonly SearchSection[]): Search {
  const index = new MiniSearch<SearchSection>({
    idField: "path",
    fields: ["title", "page", "text"],
    processTerm: singularOf,
    searchOptions: {
      prefix: true,
      boost: BOOST,
      boostDocument: (path: string) => BOOST_OF_PAGE.find(([page]) => page.test(path))?.[1] ?? 1,
    },
  });
  index.addAll(sections);
  const byPath = new Map(sections.map((section) => [section.path, section]));
  return (query) => {
    const words = query.slice(0, QUERY_LENGTH_MAX);
    const whole = index.search(words, { combineWith: "AND" });
    return (whole.length > 0 ? whole : index.search(words))
      .slice(0, HITS_MAX)
      .map(({ id, terms }) => hitOf(byPath.get(id as string)!, terms)); // the index has no other
  };
}

/** So that "key" finds the section "Keys" before those that name many things. */
const singularOf = (term: string) => term.toLowerCase().replace(/(?<=.{2})s$/, "");

/** `terms` are words of the index: letters and digits in lower case, without the plural's s. */
function hitOf({ path, page, title, text }: SearchSection, terms: readonly string[]): SearchHit {
  const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})s?(?![\\p{L}\\p{N}])`, "giu");
  const at = Math.max(text.search(words), 0);
  const start = text.lastIndexOf(" ", Math.max(at - BEFORE_WORD, 0)) + 1;
  const cut = text.slice(start, start + EXCERPT_LENGTH);
  const isLast = start + EXCERPT_LENGTH >= text.length;
  const excerpt = isLast ? cut : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
  return {
    path,
    page,
    title: piecesOf(title, words),
    excerpt: piecesOf(start > 0 ? `… ${excerpt}` : excerpt, words),
  };
}

/** A text in pieces, so that the words can be marked. */
function piecesOf(text: string, words: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isWord: false });
    pieces.push({ text: word, isWord: true });
    end = index + word.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isWord: false });
  return pieces;
}
