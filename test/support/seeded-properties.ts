import { configureGlobal } from "fast-check";

/**
 * Every run of the tests draws the same cases, so that a failure repeats until it is mended. Lists are drawn as long
 * as a test allows; by default the library draws hardly any longer than ten.
 */
configureGlobal({ seed: 20_261_122, defaultSizeToMaxWhenMaxSpecified: true });
