/**
 * Characters that a terminal acts on: control characters, among them line breaks and the start of escape sequences,
 * line separators, and characters that change the direction of text.
 */
const ACTING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * A text as one line for a terminal. Names in a file may hold anything; characters that act are written as JSON
 * escapes.
 */
export function terminalText(text: string): string {
  return text.replace(
    ACTING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
