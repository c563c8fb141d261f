import { DOCS_PATH, MENU, pathOfPage } from "./docs-folder.ts";
import { escapeHtml } from "./escape-html.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2329; --soft: #5b6670; --line: #dfe3e7; --paper: #fff; --tint: #f4f6f8; --link: #0b5cad; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #dde3e9; --soft: #93a0ac; --line: #2c343c; --paper: #14191e; --tint: #1c232a; --link: #78b4f0; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); background: var(--tint); }
header nav, .page { max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; padding-top: .7rem; padding-bottom: .7rem; }
.contents { font-size: .9em; }
.contents summary { color: var(--soft); cursor: pointer; padding-top: 1rem; }
.contents ul { list-style: none; margin: .5rem 0 0; padding: 0; }
.contents li.deeper { padding-left: 1rem; }
.contents a { color: var(--soft); text-decoration: none; }
.contents a:hover { color: var(--ink); }
.contents code { background: none; padding: 0; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1.25rem; background: var(--paper); padding: .3rem .6rem; }
dt { font-weight: 600; margin-top: .8em; }
dd { margin: 0; color: var(--soft); }
header a { color: var(--soft); text-decoration: none; }
header a:hover, header a[aria-current] { color: var(--ink); }
header a.home { font-weight: 650; color: var(--ink); }
main { padding-top: 1rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .5em; }
h1 { margin-top: 1em; font-size: 1.9rem; }
h2 { font-size: 1.35rem; padding-top: .9em; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
:target { background: #ffe9a8; color: #1d2329; }
:target code { background: none; }
.anchor { float: left; margin-left: -1.1em; width: 1.1em; color: var(--soft); text-decoration: none; opacity: 0; font-weight: 400; }
:hover > .anchor, .anchor:focus { opacity: 1; }
a { color: var(--link); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
code { background: var(--tint); padding: .1em .3em; border-radius: 3px; overflow-wrap: break-word; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; font-size: .95em; }
th, td { border-bottom: 1px solid var(--line); padding: .4em .9em .4em 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
@media print {
  :root { color-scheme: light; }
  header, .contents { display: none; }
  .page { max-width: none; padding: 0; }
  pre, code { white-space: pre-wrap; overflow-wrap: anywhere; }
  .table { overflow-x: visible; }
  h2, h3, h4 { break-after: avoid; }
  tr { break-inside: avoid; }
}
`;

/** An H, so that browsers ask for no /favicon.ico. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5cad'/%3E%3Cpath d='M4 3h2v4h4V3h2v10h-2V9H6v4H4z' fill='%23fff'/%3E%3C/svg%3E";

/** A whole page around rendered content. */
export function pageHtml(page: {
  readonly title: string;
  /** What search engines and chats show of it. */
  readonly description: string;
  readonly content: string;
  readonly path: string;
}): string {
  const links = Object.entries(MENU).map(([name, { label }]) => {
    const path = pathOfPage(name);
    const here = path === page.path ? ' aria-current="page"' : "";
    return `<a href="${path}"${here}>${escapeHtml(label)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} - Hindsight</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><nav aria-label="Documentation"><a class="home" href="${DOCS_PATH}">Hindsight</a>
${links.join("\n")}
<a href="/openapi.json">OpenAPI</a></nav></header>
<div class="page">
${contentsOf(page.content)}<main id="content">
${page.content}
</main>
</div>
</body>
</html>
`;
}

/** Fewer headings than this are seen at a glance. */
const HEADINGS_MIN = 4;

/** Links to the headings of rendered content; "" if there are few. */
function contentsOf(content: string): string {
  const headings = [...content.matchAll(/<h([23]) id="([^"]+)"><a [^>]*>#<\/a>(.*)<\/h\1>/g)];
  if (headings.length < HEADINGS_MIN) return "";
  const items = headings.map(([, depth, id, inner]) => {
    const kind = depth === "3" ? ' class="deeper"' : "";
    return `<li${kind}><a href="#${id}">${inner}</a></li>`;
  });
  return `<details class="contents"><summary>On this page</summary><nav aria-label="On this page"><ul>
${items.join("\n")}
</ul></nav></details>
`;
}
