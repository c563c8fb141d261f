/** The `Authorization` header of a key. */
export const bearer = (key: string): string => `Bearer ${key}`;
