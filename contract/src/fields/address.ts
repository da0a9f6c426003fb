/*
 * The grammar of addresses in requests: RFC 5321 mailboxes, with UTF-8 (RFC 6531) in the local part and international domain names, each
 * alone or as `Name <address>`. It only decides whether an address is valid. The server decides on the spelling in which addresses are
 * stored and compared. Domain literals and source routes are refused, and so is every control or invisible character. So nothing that is
 * accepted here can start a new header or SMTP command.
 */

const localBytesMax = 64;
const addressBytesMax = 254;
const domainCharactersMax = 253;
const mailboxCharactersMax = 1_024;

const dotAtom = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const quotedString = /^"(?:[ !#-[\]-~\u{80}-\u{10ffff}]|\\[ -~])*"$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// The zero-width joiner and non-joiner are part of the spelling of some scripts.
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  // `Buffer` counts without a copy of the text, which may have megabytes. Browsers do not have `Buffer`.
  return globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).length;
}

/** Returns whether a text is a host name of letters, digits and inner hyphens (RFC 5321, section 2.3.5), or an international one. */
export function isDomain(text: string): boolean {
  const ascii = toAsciiDomain(text);
  if (ascii === null || ascii.length > domainCharactersMax) return false;
  const labels = ascii.split('.');
  // No top-level domain is a number (RFC 3696, section 2), so a number at the end means an IP address.
  return labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function toAsciiDomain(text: string): string | null {
  if (text === '' || text.length > mailboxCharactersMax) return null;
  const lower = text.toLowerCase();
  if (/^[a-z0-9.-]+$/.test(lower) && !lower.includes('xn--')) return lower;
  // A URL parser would accept a path after a slash and a port after a colon, so ASCII characters are checked before it runs.
  if (/[\0-,/:-@[-`{-\x7f]/.test(lower) || !URL.canParse(`http://${lower}/`)) return null;
  return new URL(`http://${lower}/`).hostname;
}

/** Returns whether a text is one bare address, such as `ada@example.com` or `用户@例え.jp`. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > mailboxCharactersMax || invisible.test(text)) return false;
  const local = text.slice(0, at);
  if (!dotAtom.test(local) && !quotedString.test(local)) return false;
  const domain = text.slice(at + 1);
  return isDomain(domain) && utf8Bytes(local) <= localBytesMax && utf8Bytes(text) <= addressBytesMax;
}

/** Returns whether a text is one recipient: a bare address, or `Name <address>` with quotes around a name that has commas. */
export function isMailbox(text: string): boolean {
  if (!text.endsWith('>')) return isAddress(text);
  const open = text.lastIndexOf('<');
  if (open < 0 || text.length > mailboxCharactersMax) return false;
  const phrase = text.slice(0, open);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(phrase)) return false;
  const name = phrase.trim();
  // With a comma or an at sign outside quotes, the text could be read as two recipients.
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/u.test(name);
  return (isQuoted || !/["<>,;@\\]/.test(name)) && isAddress(text.slice(open + 1, -1));
}
