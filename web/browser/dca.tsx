/** Makes the calculator of a coin's page work, on the closes that the page holds. The address keeps its inputs. */
import { type CoinCloses, dcaPlans, type DcaSchedule } from "../dca-plans.ts";
import { hydrate, render } from "preact";
import { keepInAddress } from "./address.ts";
import { DcaCalculator, type DcaProps } from "./dca-calculator.tsx";
import { scheduleOf, scheduleQuery } from "./dca-link.ts";

const element = document.getElementById("dca");
if (element !== null) {
  const props = JSON.parse(element.dataset["props"]!) as DcaProps; // the page has both
  const closes = JSON.parse(element.dataset["closes"]!) as CoinCloses;
  const outcomeOf = dcaPlans(closes);
  const asked = scheduleOf(location.search, props.first);
  const isOther = asked !== undefined && outcomeOf(asked) !== undefined;
  const onSchedule = (schedule: DcaSchedule) =>
    keepInAddress(new URLSearchParams(scheduleQuery(schedule)));
  const calculator = (
    <DcaCalculator
      {...props}
      {...(isOther ? { first: asked } : {})}
      outcomeOf={outcomeOf}
      onSchedule={onSchedule}
    />
  );
  // The server drew the first schedule. A link's own schedule replaces it.
  if (isOther) render(calculator, element);
  else hydrate(calculator, element);
}
