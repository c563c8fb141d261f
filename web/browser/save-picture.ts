import { saveText } from "./save-text.ts";

/** Saves an SVG as PNG, drawn by the browser. The page's policy lets pictures be data, not blobs. */
export async function savePicture(name: string, svg: string): Promise<void> {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d")!.drawImage(picture, 0, 0); // every browser has one
  canvas.toBlob((png) => saveText(name, "image/png", png!), "image/png"); // the canvas has a size
}
