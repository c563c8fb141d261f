/**
 * Prints a key, which cannot be printed again. If standard output takes none of it (a full disk, a reader that has
 * gone), the account or key exists all the same, and `remedy` says how to get a new key.
 */
export function printOnce(text: string, remedy: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${text}\n`, (error) => {
      if (error) {
        console.error(`error: the new key could not be printed: ${remedy}`);
        process.exitCode = 1;
      }
      resolve();
    });
  });
}
