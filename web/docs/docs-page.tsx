import type { VNode } from "preact";
import { DocsLayout, type ContentsLink, type DocsLayoutProps } from "./docs-layout.tsx";

export interface DocsPageProps extends Omit<DocsLayoutProps, "children"> {
  /** The file that this is a section of; undefined for a whole one. */
  readonly whole: ContentsLink | undefined;
  /** Rendered Markdown, which comes from this repository. */
  readonly html: string;
  /** The pages that a long file is shown in. */
  readonly parts: readonly ContentsLink[];
  readonly previous: ContentsLink | undefined;
  readonly next: ContentsLink | undefined;
}

/** A file of `docs/`, the beginning of a long one with its contents, or a section of it. */
export function docsPage(props: DocsPageProps): VNode {
  const { title, whole, html, parts, previous, next, ...page } = props;
  const name = whole === undefined ? title : `${title} · ${whole.label}`;
  return (
    <DocsLayout title={name} {...page}>
      <article class="prose">
        {wayBack(whole)}
        <h1>{title}</h1>
        <div dangerouslySetInnerHTML={{ __html: html }} />
        {parts.length > 0 && (
          <nav aria-labelledby="in-parts">
            <h2 id="in-parts">Contents</h2>
            {partsList(parts)}
          </nav>
        )}
      </article>
      {neighbours(previous, next)}
    </DocsLayout>
  );
}

/** A link to the file that a page is a section of. */
export function wayBack(whole: ContentsLink | undefined): VNode | null {
  if (whole === undefined) return null;
  return (
    <p class="crumb">
      <a href={whole.path}>{whole.label}</a>
    </p>
  );
}

/** The contents of a long file. Links to its sections, from when it was one page, lead to their entry here. */
function partsList(links: readonly ContentsLink[]): VNode {
  return (
    <ul class="parts">
      {links.map(({ path, label, note, links: below }) => (
        <li key={path} id={path.slice(Math.max(path.lastIndexOf("/"), path.indexOf("#")) + 1)}>
          <a href={path}>{label}</a>
          {note !== undefined && <span> {note}</span>}
          {below.length > 0 && partsList(below)}
        </li>
      ))}
    </ul>
  );
}

/** The pages before and after this one, in the order of the contents. */
export function neighbours(
  previous: ContentsLink | undefined,
  next: ContentsLink | undefined,
): VNode {
  return (
    <nav class="neighbours" aria-label="Previous and next page">
      {previous !== undefined && (
        <a href={previous.path} rel="prev">
          <span>Previous</span> {previous.label}
        </a>
      )}
      {next !== undefined && (
        <a href={next.path} rel="next" class="next">
          <span>Next</span> {next.label}
        </a>
      )}
    </nav>
  );
}
