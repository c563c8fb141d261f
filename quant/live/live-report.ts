export interface LiveErrorRates {
  readonly variants: number;
  readonly bars: number;
  readonly falseStop3y: number;
  readonly falseStop10y: number;
  readonly falseHolds10y: number;
}
