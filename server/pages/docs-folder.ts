import { join } from "node:path";
import { packageFolder } from "./package-folder.ts";

/** A page's entry in the menu. */
interface MenuWords {
  /** Keep it short: the menu is on every page. */
  readonly label: string;
  /** What a reader opens the page for. */
  readonly purpose: string;
}

/** Every page of `docs/`, in the order of the menu. */
export const MENU: Readonly<Record<string, MenuWords>> = {
  api: { label: "API", purpose: "what to ask, what comes back, and what it costs" },
  clients: { label: "Clients", purpose: "first programs in Python and TypeScript" },
  errors: { label: "Errors", purpose: "every error code, and what to do about it" },
  check: { label: "Check", purpose: "how much of your own backtest may be luck, from its file" },
  dataset: { label: "Dataset", purpose: "11,440 backtests, and what became of the best of them" },
  methods: { label: "Methods", purpose: "how every number is computed, in words and formulas" },
  data: { label: "Data files", purpose: "every table and column of the published Parquet files" },
  glossary: { label: "Glossary", purpose: "what the words mean" },
  run: { label: "Running it", purpose: "install, run nightly, serve, back up, upgrade" },
  reference: { label: "Reference", purpose: "options, files, limits, metrics and alerts" },
  redis: { label: "Redis", purpose: "several servers that share accounts and jobs" },
  performance: {
    label: "Performance",
    purpose: "how fast it is, compared with what, and how to measure it",
  },
  faults: { label: "Faults", purpose: "what was killed and flooded, and what happened" },
  changes: { label: "Changes", purpose: "what has changed, and which versions there are" },
  decisions: { label: "Decisions", purpose: "why it is built as it is" },
};

/** The folder of the documentation: `docs/` beside `package.json`. */
export function docsFolder(): string {
  return join(packageFolder(), "docs");
}

/** Where the list of pages is served. */
export const DOCS_PATH = "/docs";

export function pathOfPage(name: string): string {
  return `${DOCS_PATH}/${name}`;
}
