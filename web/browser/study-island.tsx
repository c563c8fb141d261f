import { hydrate, render } from "preact";
import { StudyForm, type StudyPlace } from "./study-form.tsx";
import { inputsOf } from "./study-asked.ts";

/** Makes the form work. A link's own inputs replace those that the server drew. */
export function showStudy(element: HTMLElement): void {
  const place = JSON.parse(element.dataset["place"]!) as StudyPlace; // the page wrote it
  if (location.search === "") hydrate(<StudyForm {...place} />, element);
  else render(<StudyForm {...place} first={inputsOf(location.search, place.first)} />, element);
}
