import type { PageSource } from "../../web/layout.tsx";
import { siteAssets } from "./assets.ts";

/** For pages that show no figures of a snapshot. */
export function plainSource(): PageSource {
  const { styles, script } = siteAssets();
  return { snapshot: undefined, source: undefined, isSynthetic: false, styles, script };
}
