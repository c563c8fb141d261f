/** Copies a key that was just made, and sends one request with it. The key is nowhere but in this page. */

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here: copy it by hand";
  }
  setTimeout(() => (button.textContent = label), 2000);
}

const card = document.querySelector<HTMLElement>("[data-key]");
const tries = card?.querySelector<HTMLButtonElement>("[data-try]");
const shown = card?.querySelector<HTMLElement>("[data-answer]");
if (card && tries && shown) {
  tries.hidden = false;
  tries.addEventListener("click", () => void tryKey(card, tries, shown));
}

/** Of an answer, as much as shows what it is. */
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

// Forms are sent once; the server makes one key of two posts all the same. Browsers restore pages with what was disabled.
const forms = document.querySelectorAll("form");
for (const form of forms) {
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button"))
      setTimeout(() => (button.disabled = true));
  });
}
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
