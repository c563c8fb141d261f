/** Entry point of a thread that makes the documentation. */
import { workerData } from "node:worker_threads";
import type { OperatorLinks } from "../../web/layout.tsx";
import { makePages } from "../pages/make-pages.ts";
import { resourceTexts } from "./resource-texts.ts";
import { servedLibrary } from "./keyless-resources.ts";

/** What the thread is started with. */
export interface TextsToMake {
  readonly publicUrl: string;
  readonly paths: readonly string[];
  readonly operator: OperatorLinks;
}

const { publicUrl, paths, operator } = workerData as TextsToMake;
makePages(paths, resourceTexts(servedLibrary(), publicUrl, operator));
