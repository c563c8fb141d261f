/** What no test of a record can see; said with every answer to which it applies. */
export function cautionsOf(bars: number): readonly string[] {
  const share = Number(((100 * 5) / bars).toPrecision(2));
  return [
    `Losses that come less often than on ${share} % of the bars can't be seen in a record of ${bars} bars.`,
    "Removing losing variants before sending, choosing the coin or the dates afterwards, or sending edited " +
      "files until one passes makes every p-value too small.",
    "Look-ahead in the strategy's own code, missing costs and bad prices are not tested.",
  ];
}
