/**
 * Characters that make a terminal do something: control characters, among them line breaks and the start of escape
 * sequences, separators of lines, and those that turn the direction of the text around them.
 */
const ACTING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** One line for a terminal. Names in a file may hold anything; what acts is written as JSON escapes it. */
export function terminalText(text: string): string {
  return text.replace(
    ACTING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
