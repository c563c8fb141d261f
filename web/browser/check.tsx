/** Makes the check page work. Its calculator is the home page's now, to which old links with numbers lead. */
import { hydrate } from "preact";
import { pointOfQuery } from "../luck-point.ts";
import { FileCheck, type CheckPlace } from "./file-check.tsx";

if (pointOfQuery(location.search) !== undefined) location.replace(`/${location.search}`);
const element = document.getElementById("check");
if (element !== null) {
  const place = JSON.parse(element.dataset["place"] ?? "{}") as CheckPlace;
  hydrate(<FileCheck {...place} />, element);
}
