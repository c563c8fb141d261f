import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Real exports of each tool. They are test data that is never copied here; a clone may lack them. */
export const EXPORTS_FOLDER = process.env["HINDSIGHT_EXPORTS"] ?? "../shared/data/exports";

interface Truth {
  readonly file: string;
  readonly tool: string;
  readonly kind: string;
}

/** One of each kind of file of each tool, for what is the same of all that are read by the same code. */
export function exportOfEachKind() {
  return [...new Map(truths().map((truth) => [truth.tool + truth.kind, truth])).values()].map(
    fileOf,
  );
}

function truths(): Truth[] {
  const folder = join(EXPORTS_FOLDER, "truth");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Truth,
  );
}

function fileOf({ file }: Truth) {
  return { name: basename(file), bytes: readFileSync(join(EXPORTS_FOLDER, file)) };
}
