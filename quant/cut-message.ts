const LENGTH_MAX = 1000;
const MORE = "...";

/** Shortens an error's message that leaves the program: it may quote a name as long as a whole file. */
export function cutMessage(text: string): string {
  return text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX - MORE.length) + MORE : text;
}
