import { Marked, type Tokens } from "marked";
import { DOCS_PATH } from "./docs-folder.ts";
import { slugOf } from "./doc-text.ts";

/** The address that a link leads to. `name` is that of a file of `docs/`, or "" for the same page. */
type AddressOf = (name: string, id: string) => string;

/** Code up to this length is kept on one line, since browsers would break `--json` after its dashes. */
const UNBROKEN_MAX = 20;

/** Renders Markdown as HTML. Headings have anchors, and links lead to the served pages. */
export function renderMarkdown(text: string, addressOf: AddressOf): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: plain }: Tokens.Heading) {
        const id = slugOf(plain);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>${inner}</h${depth}>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], start: string, end: string) =>
          `<tr>${cells.map((cell) => start + this.parser.parseInline(cell.tokens) + end).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "<td>", "</td>")).join("\n");
        // A column without a title has no heading cell.
        const titles = row(token.header, '<th scope="col">', "</th>").replaceAll(
          '<th scope="col"></th>',
          "<td></td>",
        );
        // Wide tables and code scroll by themselves instead of widening the page. `tabindex` is for the keyboard.
        return `<div class="scroll" tabindex="0"><table>\n<thead>${titles}</thead>\n<tbody>\n${body}\n</tbody></table></div>\n`;
      },
      codespan({ text: code }: Tokens.Codespan) {
        const kind = code.length <= UNBROKEN_MAX ? ' class="unbroken"' : "";
        return `<code${kind}>${escapeHtml(code)}</code>`;
      },
      code({ text: code }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = servedLink(href, addressOf);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      image({ href, text: words }: Tokens.Image) {
        // Absolute, because a section of a long file is a page one folder deeper.
        const source = `${DOCS_PATH}/${href}`;
        return `<img src="${escapeHtml(source)}" alt="${escapeHtml(words)}" loading="lazy">`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** The address of a link on the server; undefined for files that are not served, such as source code. */
function servedLink(href: string, addressOf: AddressOf): string | undefined {
  if (/^(https?:|mailto:|\/)/.test(href)) return href;
  if (/^[a-z0-9-]+\.(?:csv|ipynb)$/.test(href)) return `${DOCS_PATH}/${href}`;
  const [, name = "", id = ""] = /^(?:(?:\.\/)?([a-z0-9-]+)\.md)?(?:#(.*))?$/.exec(href) ?? [];
  return name === "" && id === "" ? undefined : addressOf(name, id);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text for HTML, between tags or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
