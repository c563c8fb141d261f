/** Makes the check page work: files are checked, the luck calculator moves, and its numbers are in the address. */
import { hydrate, render } from "preact";
import { checkTool } from "./check-tool.tsx";
import type { CheckPlace } from "./file-check.tsx";
import { FIRST_POINT } from "./luck-calculator.tsx";
import { pointOf, queryOf } from "./luck-link.ts";

const element = document.getElementById("check");
if (element !== null) {
  const first = pointOf(location.search) ?? FIRST_POINT;
  const place = JSON.parse(element.dataset["place"] ?? "{}") as CheckPlace;
  const tool = checkTool(place, first, (point) => history.replaceState(null, "", queryOf(point)));
  // The server drew the first point. A link's own numbers replace it.
  if (first === FIRST_POINT) hydrate(tool, element);
  else render(tool, element);
}
