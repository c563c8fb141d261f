/** The pages of the documentation as text. */
import { textWith } from "../render.ts";
import { docsHome } from "./docs-home.tsx";
import { docsPage } from "./docs-page.tsx";
import { operationPage } from "./operation-page.tsx";
import { problemPage } from "./problem-page.tsx";
import { searchPage } from "./search-page.tsx";

export const renderHome = textWith(docsHome);
export const renderDoc = textWith(docsPage);
export const renderOperation = textWith(operationPage);
export const renderSearch = textWith(searchPage);
export const renderProblem = textWith(problemPage);
