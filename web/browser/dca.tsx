/** Makes the calculator of a coin's page compute, from the closes that the page holds. */
import { type CoinCloses, dcaPlans } from "../dca-plans.ts";
import { hydrate } from "preact";
import { DcaCalculator, type DcaProps } from "./dca-calculator.tsx";

const element = document.getElementById("dca");
if (element !== null) {
  const props = JSON.parse(element.dataset["props"]!) as DcaProps; // the page wrote both
  const closes = JSON.parse(element.dataset["closes"]!) as CoinCloses;
  hydrate(<DcaCalculator {...props} outcomeOf={dcaPlans(closes)} />, element);
}
