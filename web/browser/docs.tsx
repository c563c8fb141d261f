/** Searches the documentation, adds copy buttons, and leads old links to the new places of sections. */
import { render, type VNode } from "preact";
import { searchOf, type Search, type SearchSection } from "../docs/search.ts";
import { copyOnClick } from "./copy-text.ts";
import { hitsSentence, searchHits } from "../docs/search-hits.tsx";

const INDEX_PATH = "/docs/search.json";

let search: Promise<Search> | undefined;

const form = document.querySelector<HTMLFormElement>("form.search");
const [field, status, hits] = ["input", "[role=status]", ".hits"].map((part) =>
  form?.querySelector<HTMLElement>(part),
) as [HTMLInputElement, HTMLElement, HTMLElement];
if (form !== null) {
  field.addEventListener("input", () => void list());
  form.addEventListener("keydown", move);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
  });
  // A click elsewhere, or the focus elsewhere, ends the search.
  document.addEventListener("click", ({ target }) => leave(target));
  form.addEventListener("focusout", ({ relatedTarget }) => leave(relatedTarget));
  void showResults();
}
showPlace();
arriveAtSection();
// Browsers have a clipboard on secure pages only.
if ("clipboard" in navigator)
  for (const code of document.querySelectorAll<HTMLElement>(".prose pre")) addCopyButton(code);
window.addEventListener("hashchange", arriveAtSection);

function addCopyButton(code: HTMLElement): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = "Copy";
  copyOnClick(button, code.textContent.trimEnd());
  code.after(button);
}

/** Scrolls long contents to the page that is shown. */
function showPlace(): void {
  const aside = document.querySelector(".aside");
  const here = document.querySelector("#contents [aria-current]");
  if (aside === null || here === null) return;
  const below = here.getBoundingClientRect().bottom - aside.getBoundingClientRect().bottom;
  if (below > 0) aside.scrollTop += below + aside.clientHeight / 2;
}

/** The search, loaded once. After a failure, the next letter tries again. */
function indexed(): Promise<Search> {
  return (search ??= loaded().catch((error: unknown) => {
    search = undefined;
    throw error;
  }));
}

async function loaded(): Promise<Search> {
  const response = await fetch(INDEX_PATH);
  return searchOf((await response.json()) as SearchSection[]);
}

async function list(): Promise<void> {
  const query = field.value;
  const find = await indexed();
  if (query !== field.value) return; // the reader typed on while the index was loading
  const found = find(query);
  if (query.trim() === "") show(null, "");
  else show(searchHits(found), hitsSentence(found.length, query));
}

/** On the page of all sections, shows the hits for the query of its address in their place. */
async function showResults(): Promise<void> {
  const sections = document.querySelector(".hits.whole");
  const query = new URLSearchParams(location.search).get("q") ?? "";
  if (sections === null || query.trim() === "") return;
  field.value = query;
  const found = (await indexed())(query);
  document.getElementById("found")!.textContent = hitsSentence(found.length, query); // the page has it
  sections.replaceChildren();
  render(searchHits(found), sections);
}

function show(found: VNode | null, sentence: string): void {
  render(found, hits);
  status.textContent = sentence;
}

function leave(target: EventTarget | null): void {
  if (target instanceof Node && form?.contains(target) === false) show(null, "");
}

/** Arrow keys move through field and hits, and Escape ends the search. Enter follows a link, as everywhere. */
function move(event: KeyboardEvent): void {
  const stops = [field, ...hits.querySelectorAll("a")];
  const here = stops.indexOf(document.activeElement as HTMLInputElement);
  if (event.key === "Escape") {
    show(null, "");
    field.focus();
  } else if (event.key === "ArrowDown") stops[here + 1]?.focus();
  else if (event.key === "ArrowUp") stops[here - 1]?.focus();
  else return;
  event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Goes on to the section from an old link, which leads to the contents of a file that was once one page. */
function arriveAtSection(): void {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = entry?.matches(".parts li") === true ? entry.querySelector("a") : null;
  if (link !== null) location.replace(link.href);
}
