import type { VNode } from "preact";
import type { Piece, SearchHit } from "./search.ts";

/** What a search found, best first, as links to sections. */
export function SearchHits({ hits }: { readonly hits: readonly SearchHit[] }): VNode {
  return (
    <ol>
      {hits.map(({ path, page, title, excerpt }) => (
        <li key={path}>
          <a href={path}>
            <b>
              <Pieces pieces={title} />
            </b>{" "}
            <span class="page">{page}</span>
            <span>
              <Pieces pieces={excerpt} />
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): VNode {
  return (
    <>
      {pieces.map(({ text, isWord }, index) =>
        // Pieces have no name but their place, and are never moved.
        isWord ? <mark key={index}>{text}</mark> : text,
      )}
    </>
  );
}

/** How many there are, in words that are also read out. */
export function hitsSentence(count: number, query: string): string {
  if (query.trim() === "") return "Type what you look for.";
  const found = count === 0 ? "Nothing" : `${count} section${count === 1 ? "" : "s"}`;
  return `${found} found for “${query.trim()}”.`;
}
