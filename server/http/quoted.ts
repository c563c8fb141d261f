const SHOWN_MAX = 40;

/** A caller's text for a message: in quotes, cut after 40 characters, with "?" for control and format characters. */
export function quoted(text: string): string {
  const characters = Array.from(text.slice(0, SHOWN_MAX * 2));
  const shown = characters
    .slice(0, SHOWN_MAX)
    .join("")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return `"${shown}${characters.length > SHOWN_MAX || text.length > SHOWN_MAX * 2 ? "..." : ""}"`;
}
