import { join } from "node:path";
import { packageFolder } from "../package-folder.ts";

interface MenuWords {
  /** Keep it short: the menu is on every page. */
  readonly label: string;
  readonly purpose: string;
  /** Set if the file is long, and each of its sections is a page of its own. */
  readonly isParted?: boolean;
}

/** Every page of `docs/` by group, in the order of the menu. */
export const MENU: Readonly<Record<string, Readonly<Record<string, MenuWords>>>> = {
  "Use it": {
    check: {
      label: "Check a backtest",
      purpose: "how much of your own backtest may be luck, from its file",
    },
    "hindsight-check": {
      label: "hindsight-check",
      purpose: "the check as one file, in a terminal and in CI",
    },
    studies: {
      label: "Studies",
      purpose: "try many settings, and see how much of the best one is luck",
    },
    live: {
      label: "Live",
      purpose: "is it still what the backtest promised, and when to stop",
    },
    api: {
      label: "API",
      purpose: "what to send, what comes back, and what it costs; try each endpoint",
      isParted: true,
    },
    clients: {
      label: "Clients",
      purpose: "packages for Python and TypeScript",
    },
    assistants: {
      label: "Assistants",
      purpose: "tools for assistants that speak the Model Context Protocol",
    },
    accounts: {
      label: "Accounts",
      purpose: "open one, make keys, and what an operator sets",
    },
    errors: {
      label: "Errors",
      purpose: "every error code, and what to do about it",
    },
    data: {
      label: "Data files",
      purpose: "every table and column of the published Parquet files",
      isParted: true,
    },
    changes: {
      label: "Changes",
      purpose: "what has changed, and which versions there are",
    },
  },
  "Understand it": {
    dataset: {
      label: "Dataset",
      purpose: "11,440 backtests, and what became of the best of them",
      isParted: true,
    },
    methods: {
      label: "Methods",
      purpose: "how every number is computed, in words and formulas",
      isParted: true,
    },
    calibration: {
      label: "Calibration",
      purpose: "how often the check is wrong, measured where the truth is known",
    },
    "calibration-series": {
      label: "Calibration of one series",
      purpose: "how often the check of a single series is wrong, measured",
    },
    "live-calibration": {
      label: "Live calibration",
      purpose: "how often live days stop what is sound, measured",
    },
    glossary: { label: "Glossary", purpose: "what the words mean" },
  },
  "Run it": {
    run: {
      label: "Running it",
      purpose: "install, run nightly, serve, back up, upgrade",
      isParted: true,
    },
    reference: {
      label: "Reference",
      purpose: "options, files, limits, metrics and alerts",
      isParted: true,
    },
    redis: {
      label: "Redis",
      purpose: "several servers that share accounts and jobs",
    },
  },
  "Develop it": {
    performance: {
      label: "Performance",
      purpose: "how fast it is, compared with what, and how to measure it",
    },
    faults: {
      label: "Faults",
      purpose: "what was killed and flooded, and what happened",
    },
    decisions: { label: "Decisions", purpose: "why it is built as it is" },
  },
};

/** The folder of the documentation: `docs/` beside `package.json`. */
export function docsFolder(): string {
  return join(packageFolder(), "docs");
}

export const DOCS_PATH = "/docs";
/** Where all sections are listed, and the index for the search in browsers. */
export const SEARCH_PATH = `${DOCS_PATH}/search`;
export const SEARCH_INDEX_PATH = `${SEARCH_PATH}.json`;
/** Where the API's description for programs is. */
export const OPENAPI_PATH = "/openapi.json";
