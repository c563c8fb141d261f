import type { Problem, ProblemPage, Site } from "../requests/site.ts";
import type { OperatorLinks } from "../../web/layout.tsx";
import type { renderProblem } from "../../web/docs/render.tsx";
import { plainSource, siteAssets } from "./assets.ts";
import { PAGE } from "./page-type.ts";

let render: typeof renderProblem | undefined;

/** Loads the code of pages some time after the start, or with the first that is needed. A failure is not kept. */
export async function loadPages(): Promise<void> {
  ({ renderProblem: render } = await import("../../web/docs/render.tsx"));
}

/** What browsers need beside the pages of a snapshot, from the first moment on. */
export function siteOf(operator: OperatorLinks = {}): Site {
  const pageOf = (problem: Problem): ProblemPage => {
    return { ...PAGE, body: render!({ problem, about: plainSource(operator) }) }; // it is loaded
  };
  return {
    asset: (path) => siteAssets().byPath.get(path),
    problem: (problem) =>
      render === undefined ? loadPages().then(() => pageOf(problem)) : pageOf(problem),
  };
}
