const LENGTH_MAX = 1000;
const MORE = "...";

/** Cuts an error message to 1,000 characters, since it may quote a name as long as a whole file. */
export function cutMessage(text: string): string {
  return text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX - MORE.length) + MORE : text;
}
