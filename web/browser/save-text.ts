/** Saves a text or a picture as a file on the reader's machine. */
export function saveText(name: string, type: string, text: BlobPart): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
