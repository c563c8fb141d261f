/** Makes the form of an operation's page send its request, and the samples follow it. */
import { hydrate } from "preact";
import { RequestPanel, type RequestPanelProps } from "../docs/request-panel.tsx";

const element = document.getElementById("request");
const panel = element?.dataset["panel"];
if (element !== null && panel !== undefined) {
  hydrate(<RequestPanel {...(JSON.parse(panel) as RequestPanelProps)} />, element);
}
