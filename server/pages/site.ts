import { madeOnce, type OpenResource, type Site } from "../requests/site.ts";
import type { OperatorLinks, PageSource } from "../../web/layout.tsx";
import { PAGE, PICTURE } from "./page-type.ts";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { DOCS_STYLES } from "../../web/docs/docs-styles.ts";
import { CARD_PATH } from "../../web/preview-paths.ts";
import {
  ACCOUNT_STYLES,
  CHART_STYLES,
  PAGE_STYLES,
  QUESTION_STYLES,
  TOKENS,
} from "../../web/styles.ts";
import { packageFolder } from "../package-folder.ts";
import { packageVersion } from "../package-version.ts";
import { DOCS_PATH, docsFolder } from "./docs-folder.ts";

/** What browsers need besides the pages of a snapshot. The code of pages is loaded when it is needed. */
export function siteOf(operator: OperatorLinks = {}): Site {
  return {
    asset: (path) => siteAssets().byPath.get(path),
    async problemPage() {
      const { renderProblem } = await import("../../web/docs/render.tsx");
      const about = plainSource(operator);
      return (problem) => ({ ...PAGE, body: renderProblem({ problem, about }) });
    },
  };
}

const HASH_LENGTH = 8;
/** The folder of `docs/` with pictures, which are served at the same address. */
const PICTURES = "pictures";
/** What else is served of `docs/` as it is. */
const DOCS_DATA = new Map([
  [".csv", "text/csv; charset=utf-8"],
  [".ipynb", "application/x-ipynb+json"],
]);

/** The files that pages load. Scripts and styles have a hash of their content in their names, so browsers may keep them for ever. */
interface Assets {
  readonly byPath: ReadonlyMap<string, OpenResource>;
  readonly styles: string;
  /** The address of a script by its name in `web/browser/`. */
  readonly script: (name: string) => string;
}

let read: Assets | undefined;

/** The files of `dist/assets` and `docs/` that pages load, read at the first call. */
export function siteAssets(): Assets {
  return (read ??= readAssets());
}

function readAssets(): Assets {
  const byPath = new Map<string, OpenResource>();
  const sheet =
    TOKENS + CHART_STYLES + PAGE_STYLES + QUESTION_STYLES + DOCS_STYLES + ACCOUNT_STYLES;
  const hash = createHash("sha256").update(sheet).digest("hex").slice(0, HASH_LENGTH);
  const styles = `/assets/styles-${hash}.css`;
  byPath.set(styles, assetOf("text/css; charset=utf-8", sheet));
  const scripts = new Map<string, string>();
  const folder = join(packageFolder(), "dist", "assets");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, file), "utf8");
    byPath.set(`/assets/${file}`, assetOf("text/javascript; charset=utf-8", text));
    scripts.set(file.replace(/-[\w-]{8}\.js$/, ""), `/assets/${file}`);
  }
  const pictures = join(docsFolder(), PICTURES);
  for (const file of readdirSync(pictures).filter((name) => name.endsWith(".svg"))) {
    const text = () => readFileSync(join(pictures, file), "utf8");
    byPath.set(`${DOCS_PATH}/${PICTURES}/${file}`, madeOnce(PICTURE, text));
  }
  const card = () => readFileSync(join(pictures, "card.png"));
  byPath.set(CARD_PATH, madeOnce({ contentType: "image/png" }, card));
  for (const file of readdirSync(docsFolder())) {
    const contentType = DOCS_DATA.get(extname(file));
    const text = () => readFileSync(join(docsFolder(), file), "utf8");
    if (contentType !== undefined)
      byPath.set(`${DOCS_PATH}/${file}`, madeOnce({ ...PAGE, contentType }, text));
  }
  const script = (name: string) => {
    const path = scripts.get(name);
    if (path === undefined) throw new Error(`dist/assets has no script "${name}": run make build`);
    return path;
  };
  return { byPath, styles, script };
}

/** A script or style sheet. It carries the security policy, because a worker takes its policy from the answer with its script. */
function assetOf(contentType: string, text: string): OpenResource {
  return madeOnce({ contentType, headers: PAGE.headers, isImmutable: true }, () => text);
}

/** The source of pages that show no figures of a snapshot. */
export function plainSource(operator: OperatorLinks = {}, origin?: string): PageSource {
  const { styles, script } = siteAssets();
  return {
    operator,
    origin,
    version: packageVersion(),
    snapshot: undefined,
    source: undefined,
    isSynthetic: false,
    styles,
    script,
  };
}
