/** Shows what is being done, on one line of a terminal that the next call replaces. An empty text clears it. */
export function progressLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
