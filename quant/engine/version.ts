/**
 * Version of the engine together with its templates: on the same prices, runs under one version have the
 * same figures. Raise it with any change that moves a figure. 2: no indicator has a threshold in dollars.
 * 3: rounding does not lengthen a drawdown. 4: nor does it choose between two that are as deep, and Williams
 * %R stays within 0 to -100. 5: the volatility of steady growth is 0. 6: the MFI of days without volume isn't
 * a signal.
 */
export const ENGINE_VERSION = "6";
