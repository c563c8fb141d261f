/** Turns `signalLine` into `signal_line`, and `volatility30d` into `volatility_30d`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+d$/g, (start) => `_${start.toLowerCase()}`);
}

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The other way: `signal_line` is `signalLine`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The property that a member or a column is made from by default: `mean_return_pct` is `meanReturn`, `created_at` is
 * `createdMs`.
 */
export type PropertyOf<Name extends string> = Camel<
  Name extends `${infer Plain}_pct`
    ? Plain
    : Name extends `${infer Plain}_at`
      ? `${Plain}_ms`
      : Name
>;

export function propertyOf(name: string): string {
  return camelCase(name.replace(/_pct$/, "").replace(/_at$/, "_ms"));
}
