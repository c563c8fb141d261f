import { z } from "zod";

/** Schemas of the values that many answers have, each with what the document says of it. */
export const number = (description: string) => z.number().describe(description);
export const numberOrNull = (description: string) => z.number().nullable().describe(description);
export const dateOrNull = (description: string) => z.iso.date().nullable().describe(description);
export const instantOrNull = (description: string) =>
  z.iso.datetime().nullable().describe(description);

/** An instant in milliseconds as answers write it. */
export function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
