/** Where failures go that no caller sees: pino's logger, or a list in tests. */
export interface FailureLog {
  error(details: object, message: string): void;
}
