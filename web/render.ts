import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** A whole page as text. */
export const pageText = (page: VNode): string => `<!doctype html>${renderToString(page)}`;

/** Makes the text of a page of its props. */
export const textWith =
  <Props>(page: (props: Props) => VNode) =>
  (props: Props): string =>
    pageText(page(props));
