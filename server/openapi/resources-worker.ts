/** Entry point of a thread that makes the documentation. */
import { workerData } from "node:worker_threads";
import { makePages } from "../pages/make-pages.ts";
import { resourceTexts } from "./resource-texts.ts";
import { servedLibrary } from "./served-library.ts";

/** What the thread is started with. */
export interface TextsToMake {
  readonly publicUrl: string;
  readonly paths: readonly string[];
}

const { publicUrl, paths } = workerData as TextsToMake;
makePages(paths, resourceTexts(servedLibrary(), publicUrl));
