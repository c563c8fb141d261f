/** A key as an `Authorization` header has it. */
export const bearer = (key: string): string => `Bearer ${key}`;
