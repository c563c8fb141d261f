const LENGTH_MAX = 1000;
const MORE = "...";

/** An error's message where it leaves the program: it may quote a name as long as the file that it stands in. */
export function cutMessage(text: string): string {
  return text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX - MORE.length) + MORE : text;
}
