/** A file that is too large for the limits here. Elsewhere they may be wider. */
export class TooLarge extends RangeError {
  override readonly name = "TooLarge";
}

/** A file that can't be read. The message is for the person who sent it. */
export class FileRefused extends RangeError {
  override readonly name = "FileRefused";
}
