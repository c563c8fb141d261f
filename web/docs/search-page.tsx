import { group } from "d3-array";
import type { VNode } from "preact";
import { DocsLayout, type DocsLayoutProps } from "./docs-layout.tsx";
import type { SearchSection } from "./search.ts";

interface SearchPageProps extends Pick<DocsLayoutProps, "path" | "frame"> {
  readonly sections: readonly Pick<SearchSection, "path" | "page" | "title">[];
}

/** `/docs/search`: every section. With a script, `web/browser/docs.tsx` puts the hits in their place. */
export function searchPage({ sections, ...page }: SearchPageProps): VNode {
  const pages = group(sections, ({ page: name }) => name);
  return (
    <DocsLayout
      title="Search"
      description="Every section of the documentation of Hindsight."
      {...page}
    >
      <h1>Search</h1>
      <p id="found">Every section of the documentation:</p>
      <div class="hits whole">
        {Array.from(pages, ([name, own]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {own.map((section) => (
                <li key={section.path}>
                  <a href={section.path}>{section.title}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </DocsLayout>
  );
}
