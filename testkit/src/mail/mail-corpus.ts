import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A mail on the disk, with the bytes that it has in transit. */
export interface FileMail {
  file: string;
  raw: Buffer;
}

/** Returns the folder of mail from elsewhere, by default next to the checkout; null if there is none. */
export function corpusFolder(): string | null {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/mail', import.meta.url));
  const folder = process.env.POSTRIDER_TEST_CORPUS ?? beside;
  return existsSync(folder) ? folder : null;
}

/** The mail that is part of the tests. */
export const fixturesFolder = fileURLToPath(new URL('../../../server/test/fixtures/mail', import.meta.url));

/** Returns every mail below a folder, by name. */
export function readMails(folder: string): FileMail[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => ({ file, raw: asSent(readFileSync(join(folder, file))) }));
}

/** Ends every line with CRLF, including the last one, as in transit (RFC 5321, section 2.3.8). */
export function asSent(stored: Buffer): Buffer {
  const text = stored.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n');
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

/**
 * Returns the content as it goes over the wire, with doubled dots at the starts of lines, and the final dot. `raw` must end with a CRLF, or
 * be empty.
 */
export function dotStuffed(raw: Buffer): Buffer {
  return Buffer.from(`${raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..')}.\r\n`, 'latin1');
}
