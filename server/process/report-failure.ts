/** Reports a failure that no caller sees, for the log. */
export type ReportFailure = (message: string, details: Readonly<Record<string, unknown>>) => void;
