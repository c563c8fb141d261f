/** The pages of accounts as text. */
import { textWith } from "../render.ts";
import { AccountPage } from "./account-page.tsx";
import { AskPage } from "./ask-page.tsx";
import { LinkPage } from "./link-page.tsx";
import { NoticePage } from "./notice-page.tsx";
import { PricingPage } from "./pricing-page.tsx";

export const renderAccount = textWith(AccountPage);
export const renderAsk = textWith(AskPage);
export const renderLink = textWith(LinkPage);
export const renderNotice = textWith(NoticePage);
export const renderPricing = textWith(PricingPage);
