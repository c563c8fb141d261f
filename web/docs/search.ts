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

/** Text that is one of the words of the query, or that lies between them. */
export interface Piece {
  readonly text: string;
  readonly isWord: boolean;
}

/** What is looked through: a section's parts in lower case. */
interface Searched {
  readonly section: SearchSection;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

export type Search = (query: string) => readonly SearchHit[];

const QUERY_LENGTH_MAX = 100;
const WORDS_MAX = 8;
const HITS_MAX = 20;
/** How often a word of the title, or of the page's, counts as one of the text. */
const TITLE_WEIGHT = 12;
const PAGE_WEIGHT = 2;
/** How much a section gains that has the words of the query as they were written. */
const PHRASE_GAIN = 1.6;
/** Parameters of BM25. */
const SATURATION = 1.2;
const LENGTH_PART = 0.75;

const BEFORE_WORD = 60;
const EXCERPT_LENGTH = 200;

/**
 * Makes the search. Sections are ranked by BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework",
 * equation 3.15), with titles counted several times; a word also finds those that begin with it. Sections that have all
 * words come alone; without any, those that have some.
 */
export function searchOf(sections: readonly SearchSection[]): Search {
  const searched = sections.map((section) => ({
    section,
    title: section.title.toLowerCase(),
    page: section.page.toLowerCase(),
    text: section.text.toLowerCase(),
  }));
  const lengths = searched.map(({ text }) => text.length);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const counts = words.map((word) => searched.map((each) => countIn(each, word)));
    const rarity = counts.map((of) => {
      const found = of.filter((count) => count > 0).length;
      return Math.log(1 + (searched.length - found + 0.5) / (found + 0.5));
    });
    const found = searched.map((each, index) => {
      const room = 1 - LENGTH_PART + (LENGTH_PART * each.text.length) / meanLength;
      const parts = counts.map((of, word) => {
        const count = of[index]!; // one for each section
        return (rarity[word]! * count * (SATURATION + 1)) / (count + SATURATION * room); // and one for each word
      });
      const isWhole = parts.every((part) => part > 0);
      const gain = hasPhrase(each, words) ? PHRASE_GAIN : 1;
      return { each, isWhole, score: gain * parts.reduce((sum, part) => sum + part, 0) };
    });
    const whole = found.filter(({ isWhole }) => isWhole);
    return (whole.length > 0 ? whole : found.filter(({ score }) => score > 0))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, HITS_MAX)
      .map(({ each }) => hitOf(each, words));
  };
}

/** The words of a query. What joins words in names, as in `buy_hold`, separates them here. */
function wordsOf(query: string): readonly string[] {
  const words =
    query
      .slice(0, QUERY_LENGTH_MAX)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, WORDS_MAX);
}

function countIn({ title, page, text }: Searched, word: string): number {
  return (
    TITLE_WEIGHT * placesOf(word, title).length +
    PAGE_WEIGHT * placesOf(word, page).length +
    placesOf(word, text).length
  );
}

/** Where words begin with this one. */
function placesOf(word: string, text: string): readonly number[] {
  const places = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isWordPart(text.charCodeAt(at - 1))) places.push(at);
  }
  return places;
}

/** Whether a character is a letter or digit; all those beyond ASCII are taken for letters. */
function isWordPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

function hasPhrase({ title, text }: Searched, words: readonly string[]): boolean {
  return (
    words.length > 1 && ["_", " "].some((joint) => `${title} ${text}`.includes(words.join(joint)))
  );
}

function hitOf({ section, text }: Searched, words: readonly string[]): SearchHit {
  const { path, page, title } = section;
  const first = text.indexOf(words.join(" "));
  const places = words.flatMap((word) => placesOf(word, text).slice(0, 1));
  const at = first !== -1 ? first : Math.min(...places, text.length);
  const start = section.text.lastIndexOf(" ", Math.max(at - BEFORE_WORD, 0)) + 1;
  const cut = section.text.slice(start, start + EXCERPT_LENGTH);
  const isLast = start + EXCERPT_LENGTH >= section.text.length;
  const excerpt = isLast ? cut : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
  const shown = places.length === 0 ? section.text.slice(0, EXCERPT_LENGTH) : excerpt;
  return {
    path,
    page,
    title: piecesOf(title, words),
    excerpt: piecesOf(start > 0 && places.length > 0 ? `… ${shown}` : shown, words),
  };
}

/** A text in pieces, so that the words of the query can be marked. */
function piecesOf(text: string, words: readonly string[]): readonly Piece[] {
  const lower = text.toLowerCase();
  const pieces: Piece[] = [];
  let end = 0;
  const places = words
    .flatMap((word) => placesOf(word, lower).map((at) => ({ at, to: at + word.length })))
    .toSorted((a, b) => a.at - b.at || b.to - a.to);
  for (const { at, to } of places) {
    if (at < end) continue;
    if (at > end) pieces.push({ text: text.slice(end, at), isWord: false });
    pieces.push({ text: text.slice(at, to), isWord: true });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isWord: false });
  return pieces;
}
