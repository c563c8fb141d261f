/** Makes the form of an operation's page send its request, and the samples follow it. */
import { hydrate } from "preact";
import type { RequestForm } from "../docs/operation.ts";
import { RequestPanel } from "../docs/request-panel.tsx";

const element = document.getElementById("request");
const form = element?.dataset["request"];
if (element !== null && form !== undefined) {
  hydrate(<RequestPanel form={JSON.parse(form) as RequestForm} />, element);
}
