/** Entry point of a thread that makes the documentation. */
import { workerData } from "node:worker_threads";
import type { Doc } from "../pages/library.ts";
import { makePages } from "../pages/make-pages.ts";
import { resourceTexts } from "./resource-texts.ts";

/** What the thread is started with. */
export interface TextsToMake {
  readonly library: readonly Doc[];
  readonly publicUrl: string;
  readonly paths: readonly string[];
}

const { library, publicUrl, paths } = workerData as TextsToMake;
makePages(paths, resourceTexts(library, publicUrl));
