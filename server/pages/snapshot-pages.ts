import { Worker } from "node:worker_threads";
import { chartPathsOf, pageTypeOf, pathsOf, type Subjects } from "../../web/paths.ts";
import type { VerifiedFiles } from "../../snapshots/verified-files.ts";
import type { OperatorLinks } from "../../web/layout.tsx";
import type { OpenResource, Pages } from "../requests/site.ts";
import { builtFile } from "../package-folder.ts";
import { PAGE, PICTURE } from "./page-type.ts";
import { ThreadPages, type PageMaker } from "./thread-pages.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

/** What the operator decides about the pages of snapshots. */
export interface SnapshotTexts {
  readonly publicUrl: string;
  readonly withholdsPrices: boolean;
  readonly operator?: OperatorLinks | undefined;
  /** How many days ago the prices end, where they are old. */
  readonly staleDays?: number | undefined;
}

/** What the thread that makes the pages of a snapshot is started with. */
export interface PagesToMake extends SnapshotTexts {
  /** The folder of the snapshot, and its files, whose memory is shared. */
  readonly dir: string;
  readonly files: VerifiedFiles;
  readonly paths: readonly string[];
}

const TYPES = {
  html: PAGE,
  svg: PICTURE,
  csv: { contentType: "text/csv; charset=utf-8" },
  json: { contentType: "application/json" },
  png: { contentType: "image/png" },
  embed: { ...PAGE, headers: PAGE.headers.replace("; frame-ancestors 'none'", "") },
  xml: { contentType: "application/xml; charset=utf-8" },
  txt: { contentType: "text/plain; charset=utf-8" },
};

/** Every page, beginning with the most visited ones, and the files of charts last. */
function pagesOf(subjects: Subjects): readonly string[] {
  const bars = Array.from(subjects.priced, (ticker) => `/coins/${ticker}/bars.json`);
  return [...pathsOf(subjects), ...bars, ...chartPathsOf(subjects)];
}

/** The pages of a snapshot in a folder, made by a thread that opens it. */
export function pagesOfThread(subjects: Subjects, about: Omit<PagesToMake, "paths">): ThreadPages {
  const start = (paths: readonly string[]) =>
    new Worker(builtFile("pages-worker"), {
      workerData: { ...about, paths } satisfies PagesToMake,
    });
  return new ThreadPages(pagesOf(subjects), start);
}

export class SnapshotPages implements Pages {
  readonly paths: readonly string[];
  readonly #subjects: Subjects;
  readonly #maker: PageMaker;

  constructor(subjects: Subjects, maker: PageMaker) {
    this.#subjects = subjects;
    this.#maker = maker;
    this.paths = pathsOf(subjects);
  }

  find(path: string): OpenResource | undefined {
    const type = pageTypeOf(path, this.#subjects);
    return type && { ...TYPES[type], body: () => this.#maker.body(path) };
  }
}

/** The coins and templates that a snapshot's pages are about. */
export function subjectsOf(
  { coins }: Pick<SnapshotData, "coins">,
  withholdsPrices: boolean,
): Subjects {
  const tickers = new Set(coins.map(({ ticker }) => ticker));
  return {
    coins: tickers,
    priced: withholdsPrices ? new Set() : tickers,
    templates: new Set(CATALOGUE.map(({ name }) => name)),
  };
}
