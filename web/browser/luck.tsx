/** Makes the luck calculator of the home page move. */
import { hydrate } from "preact";
import { LuckCalculator } from "./luck-calculator.tsx";

const element = document.getElementById("luck");
if (element !== null) hydrate(<LuckCalculator />, element);
