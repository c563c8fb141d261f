/** What is being done, for a person at a terminal: one line that the next call replaces. "" clears it. */
export function progressLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
