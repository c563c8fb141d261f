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

/** What is looked through: a section's parts, folded. */
interface Searched {
  readonly section: SearchSection;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

export type Search = (query: string) => readonly SearchHit[];

const QUERY_LENGTH_MAX = 100;
const WORDS_MAX = 5;
const HITS_MAX = 20;
/** What a word in the title, or in the page's name, adds, in what it could add at most in the text. */
const TITLE_GAIN = 1;
const PAGE_GAIN = 0.3;
/** What the score of a section is multiplied by that has the words of the query side by side. */
const PHRASE_IN_TITLE = 2.5;
const PHRASE_IN_TEXT = 1.6;
/** Parameters of BM25. */
const SATURATION = 1.2;
const LENGTH_PART = 0.75;

/** More add little to a score, and the commonest words are everywhere. */
const PLACES_MAX = 8;

const BEFORE_WORD = 60;
const EXCERPT_LENGTH = 200;

/**
 * Makes the search. Sections are ranked by BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework:
 * BM25 and Beyond") and by their titles; a word also finds those that begin with it. Sections that have all
 * words come alone; without any, those that have some.
 */
export function searchOf(sections: readonly SearchSection[]): Search {
  const searched = sections.map((section) => ({
    section,
    title: folded(section.title),
    page: folded(section.page),
    text: folded(section.text),
  }));
  const lengths = searched.map(({ text }) => text.length);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const finds = words.map((word) => {
      const found = searched.map((each) => findsIn(each, word));
      const sections = found.filter(({ isThere }) => isThere).length;
      const rarity = Math.log(1 + (searched.length - sections + 0.5) / (sections + 0.5));
      return { found, rarity };
    });
    const ranked = searched.map((each, index) => {
      const room = 1 - LENGTH_PART + (LENGTH_PART * each.text.length) / meanLength;
      const parts = finds.map(({ found, rarity }) => {
        const { inTitle, inPage, inText } = found[index]!; // one for each section
        const text = inText / (inText + SATURATION * room);
        return rarity * (text + TITLE_GAIN * inTitle + PAGE_GAIN * inPage);
      });
      const isWhole = parts.every((part) => part > 0);
      const gain = phraseGain(each, words);
      return { each, isWhole, score: gain * parts.reduce((sum, part) => sum + part, 0) };
    });
    const whole = ranked.filter(({ isWhole }) => isWhole);
    return (whole.length > 0 ? whole : ranked.filter(({ score }) => score > 0))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, HITS_MAX)
      .map(({ each }) => hitOf(each, words));
  };
}

function wordsOf(query: string): readonly string[] {
  const words =
    query
      .slice(0, QUERY_LENGTH_MAX)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, WORDS_MAX);
}

/** Lower case, and blanks for what joins words in names, so that `buy_hold` and "buy hold" are the same. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll("_", " ");
}

/** How often a word is in the text, and whether it is in the title and in the page's name (1) or not (0). */
function findsIn({ title, page, text }: Searched, word: string) {
  const inTitle = Math.min(placesOf(word, title).length, 1);
  const inPage = Math.min(placesOf(word, page).length, 1);
  const inText = placesOf(word, text).length;
  return { inTitle, inPage, inText, isThere: inTitle + inPage + inText > 0 };
}

/** Where words of a folded text begin with this one, first places first. */
function placesOf(word: string, text: string): readonly number[] {
  const places: number[] = [];
  let at = text.indexOf(word);
  for (; at !== -1 && places.length < PLACES_MAX; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isWordPart(text.charCodeAt(at - 1))) places.push(at);
  }
  return places;
}

/** Whether a character is a letter or digit; all those beyond ASCII are taken for letters. */
function isWordPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

function phraseGain({ title, text }: Searched, words: readonly string[]): number {
  const phrase = words.join(" ");
  if (words.length === 1) return 1;
  if (title.includes(phrase)) return PHRASE_IN_TITLE;
  return text.includes(phrase) ? PHRASE_IN_TEXT : 1;
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
  const searched = folded(text);
  const pieces: Piece[] = [];
  let end = 0;
  const places = words
    .flatMap((word) => placesOf(word, searched).map((at) => ({ at, to: at + word.length })))
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
