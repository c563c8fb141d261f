/** A reason of the report as a sentence; "" where there is none. */
export function asSentence(reason: string | null): string {
  if (reason === null || reason === "") return "";
  const end = /[.?!]$/.test(reason) ? "" : ".";
  return reason[0]!.toUpperCase() + reason.slice(1) + end; // not empty
}
