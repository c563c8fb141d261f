/** Copies a text. Returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Makes a button copy a text, and say for two seconds what came of it. */
export function copyOnClick(button: HTMLButtonElement, text: string): void {
  const label = button.textContent;
  const copy = async () => {
    const isCopied = await copyText(text);
    button.textContent = isCopied ? "Copied" : "Not allowed here: copy it by hand";
    setTimeout(() => (button.textContent = label), 2000);
  };
  button.addEventListener("click", () => void copy());
}
