/** An SVG as PNG, drawn by the browser. The page's policy lets pictures be data, not blobs. */
export async function pngOf(svg: string): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d")!.drawImage(picture, 0, 0); // every browser has one
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), "image/png"));
}
