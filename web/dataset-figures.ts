import type { Dataset, DatasetFigure } from "../api/dataset.ts";

/** A headline figure of the whole dataset; null where it does not exist. */
export function overall({ headline }: Dataset, name: string): DatasetFigure {
  return headline.overall[name] ?? { value: null, coin_flip: null, n: 0 };
}
