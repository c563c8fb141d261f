/**
 * Names the engine and its templates together: two runs under one version, on the same prices, have the
 * same figures. Raised by any change that moves one. 2: no indicator has a threshold in dollars.
 */
export const ENGINE_VERSION = "2";
