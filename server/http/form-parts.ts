import { library } from "./socket-library.ts";

/** A part of a form, as `multipart/form-data` has it (RFC 7578). */
export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly data: Uint8Array;
}

const FORM = /^multipart\/form-data[ \t]*;/i;

export function isForm(contentType: string): boolean {
  return FORM.test(contentType);
}

/** The parts of a body, by the socket library; undefined if it isn't what its type says. */
export function formParts(body: Uint8Array, contentType: string): readonly FormPart[] | undefined {
  const parts = library.getParts(body, contentType);
  return parts?.map(({ name, filename, data }) => ({
    name,
    fileName: filename,
    data: new Uint8Array(data),
  }));
}
