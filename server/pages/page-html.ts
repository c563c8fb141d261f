import { DOCS_STYLES } from "../../web/docs-styles.ts";
import { TOKENS } from "../../web/styles.ts";
import { DOCS_PATH, MENU, pathOfPage } from "./docs-folder.ts";
import { escapeHtml } from "./escape-html.ts";

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
<style>${TOKENS}${DOCS_STYLES}</style>
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
