import { render } from "preact";
import { StudyForm, type StudyPlace } from "./study-form.tsx";
import { inputsOf } from "./study-asked.ts";

/** Makes the form work, filled in by a link, or with what was typed while this script was loading, and runs it if it was sent. */
export function showStudy(element: HTMLElement, runs: boolean): void {
  const setting = JSON.parse(element.dataset["place"]!) as StudyPlace; // the page has it
  const typed = [...element.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")];
  const pairs = typed.map(({ name, value }) => [name, value]);
  const query = location.search === "" ? new URLSearchParams(pairs).toString() : location.search;
  element.dataset["ready"] = "";
  render(<StudyForm {...setting} first={inputsOf(query, setting.first)} runs={runs} />, element);
}
