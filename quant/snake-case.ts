const spellings = new Map<string, string>();

/** Turns `signalLine` into `signal_line`. Names come from the code, so the memory stays small. */
export function snakeCase(name: string): string {
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    spelling = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    spellings.set(name, spelling);
  }
  return spelling;
}
