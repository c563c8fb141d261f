import type { ComponentChildren, VNode } from "preact";
import { dateWords } from "./format.ts";
import { CARD_PATH, ICON_PATH } from "./preview-paths.ts";

/** What a page needs besides its content: where its figures come from, and the server's own addresses. */
export interface PageSource {
  /** Undefined on pages without figures of a snapshot. */
  readonly snapshot: string | undefined;
  /** Where the prices come from; undefined on pages without prices. */
  readonly source: string | undefined;
  readonly isSynthetic: boolean;
  /** The program's own. */
  readonly version: string;
  /** The last complete day of the snapshot, as YYYY-MM-DD. */
  readonly asOf?: string | undefined;
  /** How many days ago that was, if the prices are old. */
  readonly staleDays?: number | undefined;
  readonly operator?: OperatorLinks | undefined;
  /** The server's public address; undefined on pages that no link leads to. */
  readonly origin?: string | undefined;
  /** Address of the style sheet. */
  readonly styles: string;
  /** Address of a script by its name in `web/browser/`. */
  readonly script: (name: string) => string;
}

/** Pages that only some operators have. */
export interface OperatorLinks {
  /** Whether callers open accounts themselves. */
  readonly hasAccounts?: boolean | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly imprint?: string | undefined;
}

/** Whether callers open accounts and make keys on `/account`. Only then does a page link there. */
export function hasAccountPage({ operator }: Pick<PageSource, "operator">): boolean {
  return operator?.hasAccounts === true;
}

export interface PageProps {
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description: string;
  /** The page's own path. */
  readonly path: string;
  readonly about: PageSource;
  /** The path of the picture in previews of a link. */
  readonly card?: string | undefined;
  /** Names of the scripts that the page loads. */
  readonly scripts?: readonly string[];
  /** What is shown beside the content. The page is then wider. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

const MENU = [
  ["/check", "Check"],
  ["/index", "Index"],
  ["/dataset", "Dataset"],
  ["/coins", "Coins"],
  ["/strategies", "Strategies"],
  ["/docs", "Docs"],
] as const;
const ACCOUNT = ["/account", "Get a key"] as const;

/** A whole page: head, menu, content, and a footer that names the source of its data. */
export function Page(props: PageProps): VNode {
  const { title, description, path, about, scripts = [], aside, children } = props;
  const isHome = path === "/";
  const main = <main id="content">{children}</main>;
  const { operator = {} } = about;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{isHome ? title : `${title} · Hindsight`}</title>
        <meta name="description" content={description} />
        {about.origin !== undefined && preview(props, about.origin)}
        {about.origin !== undefined && (
          <link
            rel="alternate"
            type="application/atom+xml"
            href={path.startsWith("/coins/") ? `${path}/feed.xml` : "/feed.xml"}
          />
        )}
        <link rel="icon" type="image/svg+xml" href={ICON_PATH} />
        <link rel="stylesheet" href={about.styles} />
        {scripts.map((name) => (
          <script key={name} type="module" src={about.script(name)} />
        ))}
      </head>
      <body class={aside === undefined ? undefined : "beside"}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header>
          <div class="bar">
            <a class="brand" href="/">
              Hindsight
            </a>
            <nav aria-label="Main">{menu(path, hasAccountPage(about))}</nav>
          </div>
        </header>
        {about.isSynthetic && (
          <p class="notice" role="note">
            Made-up prices: this server shows a demo market. No figure says anything about a real
            coin.
          </p>
        )}
        {about.asOf !== undefined && about.staleDays !== undefined && (
          <p class="notice" role="note">
            Prices end on {dateWords(about.asOf)}, {about.staleDays} days ago. What this page says
            of now was so then.
          </p>
        )}
        {aside === undefined ? (
          main
        ) : (
          <div class="columns">
            {aside}
            {main}
          </div>
        )}
        <footer>
          <div class="foot">
            {about.source !== undefined && `${about.source}. `}Data{" "}
            <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>
            {about.snapshot !== undefined && `, snapshot ${about.snapshot}`}. For research, not
            financial advice.
            {operatorPages(operator)}
          </div>
        </footer>
      </body>
    </html>
  );
}

/** What previews of a link to the page show. */
function preview({ title, description, path, card = CARD_PATH }: PageProps, origin: string): VNode {
  return (
    <>
      <meta property="og:site_name" content="Hindsight" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={origin + card} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function menu(path: string, hasAccounts: boolean): readonly VNode[] {
  return [...MENU, ...(hasAccounts ? [ACCOUNT] : [])].map(([href, name]) => {
    const isHere = path === href || path.startsWith(`${href}/`);
    return (
      <a key={href} href={href} aria-current={isHere ? "page" : undefined}>
        {name}
      </a>
    );
  });
}

/** A way in, as a card. */
export function door(href: string, title: string, words: string): VNode {
  return (
    <a class="card" href={href}>
      <b>{title}</b>
      <span>{words}</span>
    </a>
  );
}

/** Links to the operator's own pages. */
function operatorPages({ terms, privacy, imprint }: OperatorLinks): readonly (VNode | false)[] {
  const pages = [
    ["Terms", terms],
    ["Privacy", privacy],
    ["Imprint", imprint],
  ] as const;
  return pages.map(
    ([name, href]) =>
      href !== undefined && (
        <span key={name} class="operator">
          <a href={href}>{name}</a>
        </span>
      ),
  );
}
