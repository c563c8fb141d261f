/** The pages of the documentation as text. */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { docsHome } from "./docs-home.tsx";
import { docsPage } from "./docs-page.tsx";
import { operationPage } from "./operation-page.tsx";
import { problemPage } from "./problem-page.tsx";
import { searchPage } from "./search-page.tsx";

/** Makes a page of its props. */
const textWith =
  <Props,>(page: (props: Props) => VNode) =>
  (props: Props): string =>
    `<!doctype html>${renderToString(page(props))}`;

export const renderHome = textWith(docsHome);
export const renderDoc = textWith(docsPage);
export const renderOperation = textWith(operationPage);
export const renderSearch = textWith(searchPage);
export const renderProblem = textWith(problemPage);
