/** The icon of every page, and the picture of every link preview. */
export const ICON_PATH = "/docs/pictures/icon.svg";
export const CARD_PATH = "/docs/pictures/card.png";
