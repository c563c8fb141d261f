/** P(at least `count` of `made`) where each happens with the probability `share`. */
export function binomialTail(count: number, made: number, share: number): number {
  let log = made * Math.log1p(-share); // of the term: it underflows where many are made
  let [below, from] = [0, 0];
  for (let k = 0; k <= made; k++) {
    if (k < count) below += Math.exp(log);
    else from += Math.exp(log);
    log += Math.log(((made - k) / (k + 1)) * (share / (1 - share)));
  }
  return count > share * made ? from : 1 - below; // the smaller sum has more digits
}
