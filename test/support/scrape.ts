/**
 * The numbers in a Prometheus text by name and labels, for example
 * `requests_total{route="/dca",status="200"}`.
 */
export function parseMetrics(text: string): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const found = /^([a-zA-Z_:][\w:]*(?:\{(?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)*\})?) (\S+)$/.exec(
      line,
    );
    if (found === null) throw new Error(`not a line of metrics: ${line}`);
    const [, series, value] = found as unknown as [string, string, string];
    if (numbers.has(series)) throw new Error(`twice: ${series}`);
    numbers.set(series, value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value));
  }
  return numbers;
}

/** Type and help by metric; throws if one of them is missing or given twice. */
export function describedMetrics(text: string): Map<string, string> {
  const types = new Map<string, string>();
  const helps = new Set<string>();
  for (const line of text.split("\n")) {
    const found = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (found === null) continue;
    const [, kind, name, rest] = found as unknown as [string, string, string, string];
    if (kind === "HELP" ? helps.has(name) : types.has(name)) throw new Error(`twice: ${name}`);
    if (kind === "HELP") helps.add(name);
    else types.set(name, rest);
  }
  for (const name of types.keys()) if (!helps.has(name)) throw new Error(`no help: ${name}`);
  return types;
}
