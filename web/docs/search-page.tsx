import type { VNode } from "preact";
import { DocsLayout, type DocsFrame } from "./docs-layout.tsx";
import type { SearchHit } from "./search.ts";
import { hitsSentence, SearchHits } from "./search-hits.tsx";

/** `/docs/search`: what was found, for readers without a script and for links to results. */
export function SearchPage({
  path,
  query,
  hits,
  frame,
}: {
  readonly path: string;
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly frame: DocsFrame;
}): VNode {
  return (
    <DocsLayout
      title="Search"
      description="Search the documentation of Hindsight."
      path={path}
      frame={frame}
      query={query}
    >
      <h1>Search</h1>
      <p>{hitsSentence(hits.length, query)}</p>
      <div class="hits whole">
        <SearchHits hits={hits} />
      </div>
    </DocsLayout>
  );
}
