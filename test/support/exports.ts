import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Real exports of each tool. They are test data that is never copied here; a clone may lack them. */
export const EXPORTS_FOLDER = process.env["HINDSIGHT_EXPORTS"] ?? "../shared/data/exports";

/** Every export that has a ground truth. */
export function exportFiles(): { readonly name: string; readonly bytes: Buffer<ArrayBuffer> }[] {
  const truths = join(EXPORTS_FOLDER, "truth");
  if (!existsSync(truths)) return [];
  return readdirSync(truths).map((name) => {
    const { file } = JSON.parse(readFileSync(join(truths, name), "utf8")) as { file: string };
    return { name: basename(file), bytes: readFileSync(join(EXPORTS_FOLDER, file)) };
  });
}
