import { library } from "./socket-library.ts";

/** A part of a form of the type `multipart/form-data` (RFC 7578). */
export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly data: Uint8Array;
}

const FORM = /^multipart\/form-data[ \t]*;/i;

export function isForm(contentType: string): boolean {
  return FORM.test(contentType);
}

/** The parts of a form's body; undefined if it is not what its content type says. The socket library parses it. */
export function formParts(body: Uint8Array, contentType: string): readonly FormPart[] | undefined {
  const parts = library.getParts(body, contentType);
  return parts?.map(({ name, filename, data }) => ({
    name,
    fileName: filename,
    data: new Uint8Array(data),
  }));
}
