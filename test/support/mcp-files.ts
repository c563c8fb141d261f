/** A curve of two years as CSV, of an account that grows by chance, beside a count of trades under any name. */
export function exportedCurve(name = "trades"): string {
  let [state, value] = [1, 10_000];
  const rows = Array.from({ length: 730 }, (_, row) => {
    state = (16_807 * state) % 2_147_483_647;
    value *= 1 + 0.0005 + 0.02 * (state / 2_147_483_647 - 0.5);
    return `${new Date(Date.UTC(2022, 0, 1 + row)).toISOString().slice(0, 10)},${value.toFixed(2)},${row % 3}`;
  });
  return [`date,equity,"${name}"`, ...rows, ""].join("\n");
}
