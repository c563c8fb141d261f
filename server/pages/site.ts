import type { Site } from "../requests/site.ts";
import { plainSource, siteAssets } from "./assets.ts";
import { PAGE } from "./page-type.ts";

/** What browsers need beside the pages of a snapshot, from the first moment on. */
export const site: Site = {
  asset: (path) => siteAssets().byPath.get(path),
  async problem(problem) {
    // The code of the pages is loaded by the first request for one, so that a start does without it.
    const { renderProblem } = await import("../../web/docs/render.tsx");
    return { ...PAGE, body: renderProblem({ problem, about: plainSource() }) };
  },
};
