/** What browsers show beside a page's name, and previews of a link above it. */
export const ICON_PATH = "/docs/pictures/icon.svg";
export const CARD_PATH = "/docs/pictures/card.png";
