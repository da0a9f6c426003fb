/** Thrown if a file has more bytes than the caller allows; nothing of it was stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`The file is larger than ${bytesMax} bytes.`);
    this.bytesMax = bytesMax;
  }
}

/** Thrown if there is no room for another file. The operator has to free some space, and the sender may try again later. */
export class FilesFull extends Error {
  override readonly name = 'FilesFull';

  constructor(cause: unknown) {
    super('There is no room left for files.', { cause });
  }
}

/** Returns whether an error of the operating system has one of these codes, such as `ENOENT`. */
export function isFileError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
