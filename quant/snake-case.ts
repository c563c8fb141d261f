/** Turns `signalLine` into `signal_line`, and `volatility30d` into `volatility_30d`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+d$/g, (start) => `_${start.toLowerCase()}`);
}
