import type { VNode } from "preact";
import { Page, type PageProps, type PageSource } from "../layout.tsx";

/** An entry of the contents, and what is listed below it. */
export interface ContentsLink {
  readonly path: string;
  readonly label: string;
  /** One line beside the label, where there is room. */
  readonly note?: string | undefined;
  readonly links: readonly ContentsLink[];
}

export interface ContentsGroup {
  readonly title: string;
  readonly links: readonly ContentsLink[];
}

/** What the pages of the documentation have in common. */
export interface DocsFrame {
  /** With the sections of the page that is shown. */
  readonly contents: readonly ContentsGroup[];
  readonly about: PageSource;
}

export interface DocsLayoutProps extends Omit<PageProps, "about" | "aside"> {
  readonly frame: DocsFrame;
}

/** A page of the documentation: contents and search beside the text. */
export function DocsLayout({ frame, scripts = [], ...page }: DocsLayoutProps): VNode {
  const { contents, about } = frame;
  const aside = contentsBeside(contents, page.path);
  return <Page {...page} about={about} scripts={["docs", ...scripts]} aside={aside} />;
}

function contentsBeside(contents: readonly ContentsGroup[], path: string): VNode {
  return (
    <div class="aside">
      <div class="tools">
        {searchForm()}
        {/* On wide screens the contents are always shown, and this is not. */}
        <button type="button" class="quiet" popovertarget="contents">
          Contents
        </button>
      </div>
      <nav id="contents" popover="auto" aria-label="Documentation">
        {contents.map(({ title, links }) => (
          <div key={title}>
            <b>{title}</b>
            {linksList(links, path)}
          </div>
        ))}
      </nav>
    </div>
  );
}

/** The search field. `web/browser/docs.tsx` lists its hits. Without a script, Enter leads to all sections. */
function searchForm(): VNode {
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

function linksList(links: readonly ContentsLink[], path: string): VNode {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.path}>
          <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
            {link.label}
          </a>
          {link.links.length > 0 && linksList(link.links, path)}
        </li>
      ))}
    </ul>
  );
}
