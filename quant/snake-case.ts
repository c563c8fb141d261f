const spellings = new Map<string, string>();

/** Turns `signalLine` into `signal_line`, and `volatility30d` into `volatility_30d`. Names come from the code, so the memory stays small. */
export function snakeCase(name: string): string {
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    spelling = name.replace(/[A-Z]|\d+d$/g, (start) => `_${start.toLowerCase()}`);
    spellings.set(name, spelling);
  }
  return spelling;
}
