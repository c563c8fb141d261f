/** Makes a luck calculator move. The address keeps its numbers, and a link's own numbers come first. */
import { hydrate, render } from "preact";
import { keepInAddress } from "./address.ts";
import { LuckCalculator } from "./luck-calculator.tsx";
import { pointOf, queryOf } from "./luck-link.ts";
import type { LuckPoint } from "../luck-point.ts";

const element = document.getElementById("luck");
if (element !== null) {
  const asked = pointOf(location.search);
  const drawn = JSON.parse(element.dataset["first"] ?? "null") as LuckPoint | null;
  const inputs = [...element.querySelectorAll("input")];
  // What was moved or typed while this script was loading is answered, too.
  const typed = inputs.map(({ value, defaultValue }) => (value === defaultValue ? null : value));
  const calculator = (
    <LuckCalculator
      first={asked ?? drawn ?? undefined}
      onChange={(point) => keepInAddress(new URLSearchParams(queryOf(point)))}
    />
  );
  if (asked === undefined) hydrate(calculator, element);
  else render(calculator, element);
  for (const [place, value] of typed.entries()) {
    if (value === null) continue;
    inputs[place]!.value = value; // one value per input
    inputs[place]!.dispatchEvent(new Event("input"));
  }
}
