import { group } from "d3-array";
import type { VNode } from "preact";
import { DocsLayout, type DocsFrame } from "./docs-layout.tsx";
import type { SearchSection } from "./search.ts";

/** `/docs/search`: every section, for readers without a script. With one, `web/browser/docs.tsx` puts what it finds in its place. */
export function SearchPage({
  path,
  sections,
  frame,
}: {
  readonly path: string;
  readonly sections: readonly Pick<SearchSection, "path" | "page" | "title">[];
  readonly frame: DocsFrame;
}): VNode {
  return (
    <DocsLayout
      title="Search"
      description="Every section of the documentation of Hindsight."
      path={path}
      frame={frame}
    >
      <h1>Search</h1>
      <p id="found">Every section of the documentation:</p>
      <div class="hits whole">
        {Array.from(
          group(sections, ({ page }) => page),
          ([page, own]) => (
            <section key={page}>
              <h2>{page}</h2>
              <ul>
                {own.map((section) => (
                  <li key={section.path}>
                    <a href={section.path}>{section.title}</a>
                  </li>
                ))}
              </ul>
            </section>
          ),
        )}
      </div>
    </DocsLayout>
  );
}
