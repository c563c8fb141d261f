import type { VNode } from "preact";

/** The search field. Without a script, Enter leads to a page of results; `web/browser/docs.tsx` lists them below. */
export function SearchForm({ query }: { readonly query: string }): VNode {
  return (
    <form class="search" role="search" action="/docs/search">
      <input
        type="search"
        name="q"
        value={query}
        maxLength={100}
        placeholder="Search"
        aria-label="Search the documentation"
        aria-keyshortcuts="/"
        autocomplete="off"
        required
      />
      <div class="found">
        <p role="status" />
        <div class="hits" />
      </div>
    </form>
  );
}
