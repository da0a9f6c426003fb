import { hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** A domain and the key that signs its mail. The public part of the key is published at `<selector>._domainkey.<domain>`. */
export interface DkimSigner {
  /** In ASCII, as in DNS. */
  domain: string;
  selector: string;
  /** A private RSA key. */
  key: KeyObject;
}

/**
 * Fields that are named once more than they occur, so that adding another one breaks the signature (RFC 6376, section 8.15).
 */
const oversigned = ['from', 'to', 'subject'];

/**
 * The other fields that a signature covers if they occur (RFC 6376, section 5.4.1), and those of mailing lists: a receiver offers to
 * unsubscribe with one click only if they are covered (RFC 8058, section 4).
 */
const covered =
  /^(?:cc|reply-to|date|message-id|in-reply-to|references|mime-version|content-type|content-transfer-encoding|auto-submitted|list-.*)$/;

/** Longer lines are folded, except for one that has a domain of more than 73 characters. */
const columns = 76;

// The callback form runs in the thread pool. Signing takes about a millisecond, which would block the event loop.
const signInPool = promisify(sign);

/**
 * Returns a mail with its DKIM-Signature in front (RFC 6376: rsa-sha256, relaxed/relaxed, without `l=`). The mail has CRLF line ends.
 * `at` is the time of the signature, to the second. The same mail, signer and time give the same bytes.
 */
export async function signMail(
  raw: Buffer,
  { domain, selector, key }: DkimSigner,
  at: Date,
): Promise<Buffer> {
  const { header, body } = splitMail(raw);
  const { names, fields } = selectFields(header);
  const signature = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; t=${Math.floor(at.getTime() / 1_000)};`,
    ` d=${domain};`,
    ` s=${selector};`,
    ...foldNames(names),
    ` bh=${hash('sha256', relaxBody(body), 'base64')};`,
    ' b=',
  ].join('\r\n');
  const signed = Buffer.from([...fields, relaxField(signature)].join('\r\n'), 'latin1');
  const value = (await signInPool('sha256', signed, key)).toString('base64');
  const folded = value.match(/.{1,72}/g)?.join('\r\n  ');
  return Buffer.concat([Buffer.from(`${signature}${folded}\r\n`, 'latin1'), raw]);
}

/** Returns the header as one character a byte, since an address may be UTF-8, and the body. */
function splitMail(raw: Buffer): { header: string; body: Buffer } {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1)
    return { header: raw.toString('latin1').replace(/\r\n$/, ''), body: raw.subarray(raw.length) };
  return { header: raw.toString('latin1', 0, end), body: raw.subarray(end + 4) };
}

/** Returns the names for `h=` and the fields that they stand for. Of several fields with one name, the last is signed first. */
function selectFields(header: string): { names: string[]; fields: string[] } {
  const byName = new Map<string, string[]>(oversigned.map((name) => [name, []]));
  for (const line of header.split(/\r\n(?![ \t])/)) {
    const name = nameOf(line);
    const found = byName.get(name);
    if (found) found.unshift(relaxField(line));
    else if (covered.test(name)) byName.set(name, [relaxField(line)]);
  }
  const names = [...byName].flatMap(([name, found]) => found.map(() => name));
  return { names: [...names, ...oversigned], fields: [...byName.values()].flat() };
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(':')).trimEnd().toLowerCase();
}

/** RFC 6376, section 3.4.2. Only spaces and tabs are white space: other such characters are bytes of UTF-8 here. */
function relaxField(field: string): string {
  const value = field.slice(field.indexOf(':') + 1);
  return `${nameOf(field)}:${value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '')}`;
}

const [tab, lf, cr, space] = [9, 10, 13, 32];

/** RFC 6376, section 3.4.4. */
function relaxBody(body: Buffer): Buffer {
  const relaxed = Buffer.allocUnsafe(body.length + 2);
  let length = 0;
  let contentEnd = 0;
  let isSpaced = false;
  for (let place = 0; place < body.length; place++) {
    const byte = body[place] as number;
    if (byte === space || byte === tab) {
      isSpaced = true;
    } else if (byte === cr && body[place + 1] === lf) {
      relaxed[length++] = cr;
      relaxed[length++] = lf;
      place++;
      isSpaced = false;
    } else {
      if (isSpaced) relaxed[length++] = space;
      relaxed[length++] = byte;
      contentEnd = length;
      isSpaced = false;
    }
  }
  if (contentEnd === 0) return relaxed.subarray(0, 0);
  relaxed.write('\r\n', contentEnd);
  return relaxed.subarray(0, contentEnd + 2);
}

function foldNames(names: string[]): string[] {
  const lines: string[] = [];
  let line = ' h=';
  for (const [place, name] of names.entries()) {
    const word = place === names.length - 1 ? `${name};` : `${name}:`;
    if (line.length + word.length > columns) {
      lines.push(line);
      line = '  ';
    }
    line += word;
  }
  return [...lines, line];
}
