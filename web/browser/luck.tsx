/** Makes the luck calculator of a page move, and keeps its numbers in the page's address. */
import { hydrate, render } from "preact";
import { FIRST_POINT, LuckCalculator } from "./luck-calculator.tsx";
import { pointOf, queryOf } from "./luck-link.ts";

const element = document.getElementById("luck");
if (element !== null) {
  const first = pointOf(location.search) ?? FIRST_POINT;
  const calculator = (
    <LuckCalculator
      first={first}
      onChange={(point) => history.replaceState(null, "", queryOf(point))}
    />
  );
  // The server drew the first point; a link's own numbers replace it.
  if (first === FIRST_POINT) hydrate(calculator, element);
  else render(calculator, element);
}
