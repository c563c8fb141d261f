/** The pages of the documentation as text. */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { DocsHome } from "./docs-home.tsx";
import { DocsPage } from "./docs-page.tsx";
import { OperationPage } from "./operation-page.tsx";
import { ProblemPage } from "./problem-page.tsx";
import { SearchPage } from "./search-page.tsx";

/** Makes a page of its props. */
const textWith =
  <Props,>(page: (props: Props) => VNode) =>
  (props: Props): string =>
    `<!doctype html>${renderToString(page(props))}`;

export const renderHome = textWith(DocsHome);
export const renderDoc = textWith(DocsPage);
export const renderOperation = textWith(OperationPage);
export const renderSearch = textWith(SearchPage);
export const renderProblem = textWith(ProblemPage);
