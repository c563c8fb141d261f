/** Copies a key that was just made, and sends a request with it. Only this page has the key. */
import { copyOnClick } from "./copy-text.ts";

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  copyOnClick(button, button.dataset["copy"] ?? "");
}

const card = document.querySelector<HTMLElement>("[data-key]");
const tries = card?.querySelector<HTMLButtonElement>("[data-try]");
const shown = card?.querySelector<HTMLElement>("[data-answer]");
if (card && tries && shown) {
  tries.hidden = false;
  tries.addEventListener("click", () => void tryKey(card, tries, shown));
}

/** How many characters of an answer are shown. */
const SHOWN_MAX = 1500;

async function tryKey(card: HTMLElement, button: HTMLButtonElement, shown: HTMLElement) {
  button.disabled = true;
  const lines: string[] = [];
  try {
    const headers = { authorization: `Bearer ${card.dataset["key"]}` };
    const answer = await fetch(card.dataset["path"] ?? "", { headers, credentials: "omit" });
    lines.push(`HTTP ${answer.status}`, JSON.stringify(await answer.json(), null, 2));
  } catch {
    lines.push("The request could not be sent.");
  }
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  const text = lines.join("\n");
  pre.textContent = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n…` : text;
  shown.replaceChildren(pre);
  button.disabled = false;
}

// A form is sent once, although the server makes one key of two posts, too. A browser that goes back to a page restores
// its buttons as they were left.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button"))
      setTimeout(() => (button.disabled = true));
  });
}
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
