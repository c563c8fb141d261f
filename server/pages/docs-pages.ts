/** Renders the pages of the documentation. */
import type { ContentsGroup, ContentsLink, DocsFrame } from "../../web/docs/docs-layout.tsx";
import type { Operation } from "../../web/docs/operation.ts";
import { renderDoc, renderHome, renderOperation, renderSearch } from "../../web/docs/render.tsx";
import type { SearchSection } from "../../web/docs/search.ts";
import { hasAccountPage, type PageSource } from "../../web/layout.tsx";
import { DOCS_PATH, MENU, OPENAPI_PATH, SEARCH_PATH } from "./docs-folder.ts";
import type { Heading } from "./doc-text.ts";
import { addressIn, type Doc, type Part } from "./library.ts";
import { renderMarkdown } from "./markdown.ts";

const PURPOSE = "How crypto strategies really did, and how much of a good backtest is luck.";

/** The address in the curl commands of `docs/`. Pages have the server's own address in its place. */
const WRITTEN_ADDRESS = "http://127.0.0.1:8080/v1";
const LINK_TO_ACCOUNT = /<a href="\/account">(.*?)<\/a>/g;
/** The first code that sends a key. */
const CODE_WITH_KEY = /<pre[^>]*><code>(?:(?!<\/pre>).)*\$KEY.*?<\/pre>\n/s;

/** The entry for the OpenAPI document, which is not a page. */
const DOCUMENT = {
  group: "Use it",
  path: OPENAPI_PATH,
  label: "OpenAPI document",
  note: "the API for programs: generators of clients, editors, gateways",
  links: [],
} as const;

interface DocsSource {
  readonly library: readonly Doc[];
  readonly operations: readonly Operation[];
  readonly about: PageSource;
}

/** A page by its path, which is one of `pathsOf(library)`, `/docs` or `/docs/search`. */
export function renderDocsPath(path: string, source: DocsSource): string {
  const { library } = source;
  if (path === DOCS_PATH) {
    const groups = groupsOf(library, (doc) => ({ ...linkTo(doc), note: doc.purpose }));
    return renderHome({ description: PURPOSE, path, frame: frameOf(source, undefined), groups });
  }
  if (path === SEARCH_PATH) {
    const sections = searchSections(source);
    return renderSearch({ path, sections, frame: frameOf(source, undefined) });
  }
  const doc = library.find((each) => path === each.path || path.startsWith(`${each.path}/`))!; // a path of the library
  const part = doc.parts.find((each) => each.path === path);
  const order = library.flatMap((each) => [linkTo(each), ...each.parts.map(linkTo)]);
  const here = order.findIndex((each) => each.path === path);
  const html = (text: string) =>
    withKeyNote(withoutDeadLinks(rendered(text), source.about), source.about);
  const rendered = (text: string) =>
    renderMarkdown(withOwnAddress(text, source.about), (name, id) => {
      const target = name === "" ? doc : library.find((each) => each.name === name);
      if (target === undefined)
        throw new Error(`${doc.name}.md links to ${name}.md, which is not served`);
      return addressIn(target, id);
    });
  const [previous, next] = [order[here - 1], order[here + 1]];
  const page = { path, frame: frameOf(source, doc, part), previous, next };
  const description = `Hindsight: ${doc.purpose}.`;
  if (part === undefined) {
    const text = html(doc.parts.length > 0 ? doc.intro : wholeOf(doc));
    const { title, parts } = doc;
    const entries = parts.map(entryOf);
    return renderDoc({ ...page, title, description, whole: undefined, html: text, parts: entries });
  }
  const whole = linkTo(doc);
  const operation = source.operations.find((each) => each.title === part.operation?.title);
  const words = part.section?.text ?? "";
  if (operation === undefined) {
    const { title } = part;
    const text = html(promoted(words));
    return renderDoc({ ...page, title, description, whole, html: text, parts: [] });
  }
  const summary = `${part.title}: ${operation.summary}`;
  const text = html(withoutReference(words));
  return renderOperation({ ...page, description: summary, whole, operation, html: text });
}

function withOwnAddress(text: string, { origin }: PageSource): string {
  return origin === undefined ? text : text.replaceAll(WRITTEN_ADDRESS, `${origin}/v1`);
}

/** Replaces links to the page of accounts by their words, where there is no such page. */
function withoutDeadLinks(html: string, about: PageSource): string {
  return hasAccountPage(about) ? html : html.replaceAll(LINK_TO_ACCOUNT, "$1");
}

/** Adds a note on where keys come from, below the first code that sends one. */
function withKeyNote(html: string, about: PageSource): string {
  const source = hasAccountPage(about)
    ? '<a href="/account">get one</a> with your e-mail address'
    : "the operator of this server hands them out";
  const note = `<p class="hint"><code>$KEY</code> is your key: ${source}.</p>\n`;
  return html.replace(CODE_WITH_KEY, (code) => code + note);
}

/** The contents beside the text, with the sections of the file that is shown. */
function frameOf({ library, about }: DocsSource, shown: Doc | undefined, part?: Part): DocsFrame {
  const contents = groupsOf(library, (doc) => ({
    ...linkTo(doc),
    links: doc === shown ? linksIn(doc, part) : [],
  }));
  return { contents, about };
}

/** The sections of the file that is shown. The section that is shown has its headings. */
function linksIn(doc: Doc, shown: Part | undefined): readonly ContentsLink[] {
  if (doc.parts.length > 0) {
    return doc.parts.map((part) => (part === shown ? entryOf(part) : linkTo(part)));
  }
  return doc.sections.map((section) => linkWithin(doc, section));
}

function groupsOf(
  library: readonly Doc[],
  link: (doc: Doc) => ContentsLink,
): readonly ContentsGroup[] {
  return Object.keys(MENU).map((title) => ({
    title,
    links: [
      ...library.filter((doc) => doc.group === title).map(link),
      ...(DOCUMENT.group === title ? [DOCUMENT] : []),
    ],
  }));
}

function linkTo(page: Doc | Part): ContentsLink {
  return { path: page.path, label: "label" in page ? page.label : page.title, links: [] };
}

/** A link to a part, with its summary and its headings. */
function entryOf(part: Part): ContentsLink {
  const links = part.headings.map((heading) => linkWithin(part, heading));
  return { ...linkTo(part), note: part.operation?.summary, links };
}

function linkWithin({ path }: Doc | Part, { id, title }: Heading): ContentsLink {
  return { path: `${path}#${id}`, label: title, links: [] };
}

function wholeOf({ intro, sections }: Doc): string {
  return [intro, ...sections.map(({ heading, text }) => `## ${heading}\n${text}`)].join("\n");
}

/** The text of a section with its headings one level higher, because its own heading is the page's title. */
function promoted(text: string): string {
  return text.replaceAll(/^###(?= )/gm, "##");
}

/** The text without what the reference beside it shows: the tables of parameters and the curl commands. */
function withoutReference(text: string): string {
  const blocks = text.trim().split(/\n{2,}/);
  const isShown = (block: string) =>
    !/^(?:\| parameter |\| member +\| required|```sh\ncurl)/.test(block);
  return blocks
    .filter(isShown)
    .join("\n\n")
    .replace(/^No parameters\. */, "");
}

/** Every section of the documentation as plain text, for the search. */
export function searchSections({ library, operations }: DocsSource): readonly SearchSection[] {
  const plain = (text: string) => textOf(renderMarkdown(text, () => "#"));
  return library.flatMap((doc) => {
    const intro = { path: doc.path, page: doc.label, title: doc.title, text: plain(doc.intro) };
    const sections = doc.sections.map(({ id, title, text }) => ({
      path: addressIn(doc, id),
      page: doc.label,
      title,
      text: `${summaryOf(title, operations)}${plain(text)}`,
    }));
    const rest = doc.parts
      .filter(({ section }) => section === undefined)
      .map(({ path, title }) => {
        return { path, page: doc.label, title, text: summaryOf(title, operations) };
      });
    return [intro, ...sections, ...rest];
  });
}

function summaryOf(title: string, operations: readonly Operation[]): string {
  const operation = operations.find((each) => each.title === title);
  return operation === undefined ? "" : `${operation.summary}. ${operation.description} `;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The visible text of rendered Markdown. */
function textOf(html: string): string {
  return html
    .replaceAll(/<a class="anchor"[^>]*>#<\/a>/g, "")
    .replaceAll(/<\/(?:td|th|li|p|h\d|pre)>/g, " ")
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity]!) // all that Markdown's renderer writes
    .replaceAll(/\s+/g, " ")
    .trim();
}
