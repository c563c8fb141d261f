import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked, type Tokens } from "marked";
import { DOCS_PATH, MENU, pathOfPage } from "./docs-folder.ts";
import { escapeHtml } from "./escape-html.ts";
import { pageHtml } from "./page-html.ts";

const PURPOSE = "How crypto strategies really did, and how much of a good backtest is luck.";

/** `docs/<name>.md` as a page. */
export function renderPage(folder: string, name: string): string {
  const text = textOf(folder, name);
  const description = `Hindsight: ${MENU[name]!.purpose}.`; // a name of the menu
  const content = renderMarkdown(text);
  return pageHtml({ title: titleOf(text), description, content, path: pathOfPage(name) });
}

/** The page that lists the others. */
export function renderIndex(folder: string): string {
  const item = (path: string, title: string, purpose: string) =>
    `<dt><a href="${path}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(purpose)}</dd>`;
  const items = Object.entries(MENU).map(([name, { purpose }]) =>
    item(pathOfPage(name), titleOf(textOf(folder, name)), purpose),
  );
  items.push(item("/openapi.json", "OpenAPI document", "the same for programs, with examples"));
  const content = `<h1>Hindsight</h1>
<p>${PURPOSE}</p>
<dl>
${items.join("\n")}
</dl>`;
  return pageHtml({ title: "Documentation", description: PURPOSE, content, path: DOCS_PATH });
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.md`), "utf8");
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}

/** Renders Markdown as HTML. Headings can be linked to, and links lead to the served pages. */
export function renderMarkdown(text: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: plain }: Tokens.Heading) {
        const id = uniqueSlug(slugOf(plain), seen);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>${inner}</h${depth}>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], start: string, end: string) =>
          `<tr>${cells.map((cell) => start + this.parser.parseInline(cell.tokens) + end).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "<td>", "</td>")).join("\n");
        // A column of names has no title of its own.
        const titles = row(token.header, '<th scope="col">', "</th>").replaceAll(
          '<th scope="col"></th>',
          "<td></td>",
        );
        // Wide tables and code scroll by themselves, so that they do not widen the page; with the keyboard too.
        return `<div class="table" tabindex="0"><table>\n<thead>${titles}</thead>\n<tbody>\n${body}\n</tbody></table></div>\n`;
      },
      code({ text: code }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = servedLink(href);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** Where a page's link leads when served; undefined for files that are not served, like the source. */
function servedLink(href: string): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const page = /^(?:\.\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  return page === null ? undefined : pathOfPage(page[1]!) + (page[2] ?? ""); // it has a name
}

/** The id of a heading: its words in lower case, joined by dashes. Error codes keep their underscores. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, "")
    .trim()
    .replace(/ +/g, "-");
}

function uniqueSlug(slug: string, seen: Map<string, number>): string {
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
