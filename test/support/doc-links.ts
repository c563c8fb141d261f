import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = new URL("../..", import.meta.url).pathname;

/** Links into the documentation that are written in code: by pages of a snapshot, and by answers. */
export const DOC_LINKS_IN_CODE = ["web", "server/routes", "check"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, folder, file), "utf8").matchAll(/"(\/docs\/[^"$.]*)"/g)].map(
        ([, href]) => ({ from: `${folder}/${file}`, href: href! }),
      ),
    ),
);
