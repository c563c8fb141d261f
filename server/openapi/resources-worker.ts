/** Entry point of a thread that makes the documentation. */
import { workerData } from "node:worker_threads";
import { makePages } from "../pages/make-pages.ts";
import { resourceTexts } from "./resource-texts.ts";
import { servedLibrary, type TextsToMake } from "./keyless-resources.ts";

const { publicUrl, paths, operator } = workerData as TextsToMake;
makePages(paths, resourceTexts(servedLibrary(), publicUrl, operator));
