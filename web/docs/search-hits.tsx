import type { VNode } from "preact";
import type { Piece, SearchHit } from "./search.ts";

/** What a search found, best first, as links to sections. */
export function searchHits(hits: readonly SearchHit[]): VNode {
  return (
    <ol>
      {hits.map(({ path, page, title, excerpt }) => (
        <li key={path}>
          <a href={path}>
            <b>{pieces(title)}</b> <span class="page">{page}</span>
            <span>{pieces(excerpt)}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Pieces have no name but their place, and are never moved. */
const pieces = (parts: readonly Piece[]) =>
  parts.map(({ text, isWord }, index) => (isWord ? <mark key={index}>{text}</mark> : text));

/** How many sections were found, in words for readers and screen readers. */
export function hitsSentence(count: number, query: string): string {
  if (query.trim() === "") return "Type what you look for.";
  const found = count === 0 ? "Nothing" : `${count} section${count === 1 ? "" : "s"}`;
  return `${found} found for “${query.trim()}”.`;
}
