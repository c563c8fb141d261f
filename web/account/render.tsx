/** The pages of accounts as text. */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { AccountPage } from "./account-page.tsx";
import { AskPage } from "./ask-page.tsx";
import { LinkPage } from "./link-page.tsx";
import { NoticePage } from "./notice-page.tsx";
import { PricingPage } from "./pricing-page.tsx";

const textWith =
  <Props,>(page: (props: Props) => VNode) =>
  (props: Props): string =>
    `<!doctype html>${renderToString(page(props))}`;

export const renderAccount = textWith(AccountPage);
export const renderAsk = textWith(AskPage);
export const renderLink = textWith(LinkPage);
export const renderNotice = textWith(NoticePage);
export const renderPricing = textWith(PricingPage);
