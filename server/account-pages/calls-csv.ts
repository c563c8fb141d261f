import type { EndpointUsage } from "../accounts/admin.ts";

/** An account's calls by day and endpoint. None of the texts needs quotes. */
export function usageCsv(rows: readonly EndpointUsage[]): string {
  const lines = rows.map(({ day, env, endpoint, calls, units }) =>
    [day, env, endpoint, calls, units].join(","),
  );
  return ["day,env,endpoint,calls,units", ...lines].map((line) => `${line}\r\n`).join("");
}
