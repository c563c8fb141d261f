/** Makes a luck calculator move. The address becomes that of the answer, and a link's own numbers come first. */
import { hydrate, render } from "preact";
import { luckPath, pointOfQuery, type LuckPoint } from "../luck-point.ts";
import { LuckCalculator } from "./luck-calculator.tsx";

const element = document.getElementById("luck");
if (element !== null) {
  const asked = pointOfQuery(location.search);
  const drawn = JSON.parse(element.dataset["first"] ?? "null") as LuckPoint | null;
  const inputs = [...element.querySelectorAll("input")];
  // What was moved or typed while this script was loading is answered, too.
  const typed = inputs.map(({ value, defaultValue }) => (value === defaultValue ? null : value));
  const calculator = (
    <LuckCalculator
      first={asked ?? drawn ?? undefined}
      onChange={(point) => history.replaceState(null, "", luckPath(point))}
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
