/** Sets values in the query of the page's address, and keeps all others. */
export function keepInAddress(values: URLSearchParams): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of values) query.set(name, value);
  history.replaceState(null, "", `?${query.toString()}${location.hash}`);
}
