import { join } from "node:path";
import { packageFolder } from "./package-folder.ts";

/** The four groups of the documentation, in the order of the menu. */
export const GROUPS = {
  use: "Use it",
  understand: "Understand it",
  run: "Run it",
  develop: "Develop it",
} as const;

/** A page's entry in the menu. */
interface MenuWords {
  readonly group: keyof typeof GROUPS;
  /** Keep it short: the menu is on every page. */
  readonly label: string;
  /** What a reader opens the page for. */
  readonly purpose: string;
  /** Set if it is long: each of its sections is a page of its own. */
  readonly isParted?: boolean;
}

/** Every page of `docs/`, in the order of the menu. */
export const MENU: Readonly<Record<string, MenuWords>> = {
  check: {
    group: "use",
    label: "Check a backtest",
    purpose: "how much of your own backtest may be luck, from its file",
  },
  api: {
    group: "use",
    label: "API",
    purpose: "what to send, what comes back, and what it costs; try each endpoint",
    isParted: true,
  },
  clients: {
    group: "use",
    label: "Clients",
    purpose: "first programs in Python and TypeScript",
  },
  errors: {
    group: "use",
    label: "Errors",
    purpose: "every error code, and what to do about it",
  },
  data: {
    group: "use",
    label: "Data files",
    purpose: "every table and column of the published Parquet files",
    isParted: true,
  },
  changes: {
    group: "use",
    label: "Changes",
    purpose: "what has changed, and which versions there are",
  },
  dataset: {
    group: "understand",
    label: "Dataset",
    purpose: "11,440 backtests, and what became of the best of them",
    isParted: true,
  },
  methods: {
    group: "understand",
    label: "Methods",
    purpose: "how every number is computed, in words and formulas",
    isParted: true,
  },
  calibration: {
    group: "understand",
    label: "Calibration",
    purpose: "how often the check is wrong, measured where the truth is known",
    isParted: true,
  },
  glossary: { group: "understand", label: "Glossary", purpose: "what the words mean" },
  run: {
    group: "run",
    label: "Running it",
    purpose: "install, run nightly, serve, back up, upgrade",
    isParted: true,
  },
  reference: {
    group: "run",
    label: "Reference",
    purpose: "options, files, limits, metrics and alerts",
    isParted: true,
  },
  redis: {
    group: "run",
    label: "Redis",
    purpose: "several servers that share accounts and jobs",
  },
  performance: {
    group: "develop",
    label: "Performance",
    purpose: "how fast it is, compared with what, and how to measure it",
  },
  faults: {
    group: "develop",
    label: "Faults",
    purpose: "what was killed and flooded, and what happened",
  },
  decisions: { group: "develop", label: "Decisions", purpose: "why it is built as it is" },
};

/** The folder of the documentation: `docs/` beside `package.json`. */
export function docsFolder(): string {
  return join(packageFolder(), "docs");
}

/** Where the documentation begins. */
export const DOCS_PATH = "/docs";
/** Where the page of search results is, and what the search looks through. */
export const SEARCH_PATH = `${DOCS_PATH}/search`;
export const SEARCH_INDEX_PATH = `${SEARCH_PATH}.json`;
/** Where the API's description for programs is. */
export const OPENAPI_PATH = "/openapi.json";
