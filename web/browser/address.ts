/** Writes values into the page's address, beside what else is there. */
export function keepInAddress(values: URLSearchParams): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of values) query.set(name, value);
  history.replaceState(null, "", `?${query.toString()}${location.hash}`);
}
