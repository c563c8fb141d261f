import type { VNode } from "preact";

/** The search field: `web/browser/docs.tsx` lists below it what it finds. Without a script, Enter leads to all sections. */
export function SearchForm(): VNode {
  return (
    <form class="search" role="search" action="/docs/search">
      <input
        type="search"
        name="q"
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
