/** Makes the check page work: files are checked, and the luck calculator moves once it is looked at. */
import { hydrate } from "preact";
import { FileCheck, type CheckPlace } from "./file-check.tsx";
import { whenSeen } from "./when-seen.ts";

const element = document.getElementById("check");
if (element !== null) {
  const place = JSON.parse(element.dataset["place"] ?? "{}") as CheckPlace;
  hydrate(<FileCheck {...place} />, element);
}
const luck = document.getElementById("luck");
if (luck !== null) {
  const load = () => void import("./luck.tsx");
  if (location.search === "") whenSeen(luck, load);
  else load();
}
