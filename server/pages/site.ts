import { HTML_TYPE } from "../http/reply.ts";
import type { Site } from "../requests/site.ts";
import { siteAssets } from "./assets.ts";
import { PAGE_POLICY } from "./page-policy.ts";
import { plainSource } from "./plain-source.ts";

/** What browsers need beside the pages of a snapshot, from the first moment on. */
export const site: Site = {
  asset: (path) => siteAssets().byPath.get(path),
  async problem(problem) {
    // The code of the pages is loaded by the first request for one, so that a start does without it.
    const { renderProblem } = await import("../../web/docs/render.tsx");
    const body = renderProblem({ problem, about: plainSource() });
    return { headers: PAGE_POLICY, contentType: HTML_TYPE, body };
  },
};
