import type { ComponentChildren, VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";
import { SearchForm } from "./search-form.tsx";

/** An entry of the contents, and what is listed below it. */
export interface ContentsLink {
  readonly path: string;
  readonly label: string;
  /** One line beside it, where there is room. */
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

export interface DocsLayoutProps {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly frame: DocsFrame;
  readonly scripts?: readonly string[];
  readonly children: ComponentChildren;
}

/** A page of the documentation: contents and search beside the text. */
export function DocsLayout({
  title,
  description,
  path,
  frame: { contents, about },
  scripts = [],
  children,
}: DocsLayoutProps): VNode {
  return (
    <Page
      title={title}
      description={description}
      path={path}
      about={about}
      scripts={["docs", ...scripts]}
      aside={<Aside contents={contents} path={path} />}
    >
      {children}
    </Page>
  );
}

function Aside({
  contents,
  path,
}: {
  readonly contents: readonly ContentsGroup[];
  readonly path: string;
}): VNode {
  return (
    <div class="aside">
      <div class="tools">
        <SearchForm />
        {/* On wide screens the contents are always shown, and this is not. */}
        <button type="button" class="quiet" popovertarget="contents">
          Contents
        </button>
      </div>
      <nav id="contents" popover="auto" aria-label="Documentation">
        {contents.map(({ title, links }) => (
          <div key={title}>
            <b>{title}</b>
            <Links links={links} path={path} />
          </div>
        ))}
      </nav>
    </div>
  );
}

function Links({
  links,
  path,
}: {
  readonly links: readonly ContentsLink[];
  readonly path: string;
}): VNode {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.path}>
          <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
            {link.label}
          </a>
          {link.links.length > 0 && <Links links={link.links} path={path} />}
        </li>
      ))}
    </ul>
  );
}
