/*
 * Addresses according to RFC 5321 (mailboxes on the wire) and RFC 6531 (the same with UTF-8). Parsing returns one spelling per mailbox: the
 * local part in NFC and lower case, unquoted if possible; the domain as lower-case A-labels without a trailing dot. So two texts that name
 * one mailbox compare equal as strings. This file does not check which scripts a name is written in: look-alikes stay different addresses.
 * Domain literals (`a@[192.0.2.1]`) and source routes are refused.
 */
import { domainToASCII } from 'node:url';

/** A mailbox in its one spelling: `address` is `local@domain`. */
export interface EmailAddress {
  address: string;
  local: string;
  domain: string;
}

/** An address with its display name. */
export interface NamedAddress {
  name: string | null;
  address: string;
}

const localBytesMax = 64;
const addressBytesMax = 254;
const domainLengthMax = 253;
/** A longer text cannot become an address of 254 bytes and is not parsed. */
const textLengthMax = 1024;

const atext = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10ffff}-]";
const dotAtomPattern = new RegExp(`^${atext}+(?:\\.${atext}+)*$`, 'u');
const quotedPattern = /^"((?:[ !#-[\]-~\u{80}-\u{10ffff}]|\\[ -~])*)"$/u;
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const asciiDomainPattern = /^[A-Za-z0-9._-]+$/;
// Controls, lone surrogates, separators and invisible format characters. The two joiners are allowed, because several scripts need them.
const invisiblePattern = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Returns the address that is the whole text, without the spaces around it, or null if the text is not an address. */
export function parseAddress(text: string): EmailAddress | null {
  if (text.length > textLengthMax) return null;
  const bare = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const at = bare.lastIndexOf('@');
  if (at < 1 || invisiblePattern.test(bare)) return null;
  const local = parseLocal(bare.slice(0, at));
  const domain = parseDomain(bare.slice(at + 1));
  if (local === null || domain === null) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) <= addressBytesMax ? { address, local, domain } : null;
}

/** Returns the one spelling of an address, or null if the text is not an address. */
export function normalizeAddress(text: string): string | null {
  return parseAddress(text)?.address ?? null;
}

/**
 * Returns the one spelling of a host name (RFC 5321, section 2.3.5): lower-case A-labels of letters, digits and inner hyphens, without the
 * root's dot. Returns null for anything else, including IP addresses and domain literals.
 */
export function parseDomain(text: string): string | null {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text;
  if (bare === '' || bare.length > textLengthMax) return null;
  const ascii = toAsciiDomain(bare);
  if (ascii.length > domainLengthMax) return null;
  const labels = ascii.split('.');
  if (!labels.every((label) => labelPattern.test(label))) return null;
  // No top-level domain is a number (RFC 3696, section 2), so this is an IP address without its brackets.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}

/**
 * Returns a host name as DNS is asked for it, in lower-case A-labels (UTS 46), whatever else its labels hold, such as underscores.
 * Returns null if the text has none.
 */
export function spellHost(text: string): string | null {
  return text.length > textLengthMax ? null : toAsciiDomain(text) || null;
}

function toAsciiDomain(text: string): string {
  if (asciiDomainPattern.test(text)) {
    const lower = text.toLowerCase();
    // A-labels are checked by decoding them. Any other ASCII label is its own A-label.
    return lower.includes('xn--') ? domainToASCII(lower) : lower;
  }
  // The host parser that domainToASCII uses reads on after "/", "?", "#", ":" or "@", so ASCII is limited before it runs.
  if (/[\0-,/:-@[-^`{-\x7f]/.test(text)) return '';
  const ascii = domainToASCII(text);
  return ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
}

function parseLocal(text: string): string | null {
  const content = dotAtomPattern.test(text) ? text : unquote(text);
  if (content === null) return null;
  const folded = content.normalize('NFC').toLowerCase().normalize('NFC');
  const local = dotAtomPattern.test(folded) ? folded : `"${folded.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.byteLength(local) <= localBytesMax ? local : null;
}

function unquote(text: string): string | null {
  const content = quotedPattern.exec(text)?.[1];
  return content === undefined ? null : content.replace(/\\(.)/g, '$1');
}

/**
 * Returns the name and address of `Name <a@b>`, `"Name" <a@b>`, `<a@b>` or a bare `a@b`. Returns null if the text is anything else, holds
 * more than one address, or has control characters.
 */
export function parseMailbox(text: string): NamedAddress | null {
  if (text.length > 2 * textLengthMax) return null;
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (!trimmed.endsWith('>')) {
    const address = normalizeAddress(trimmed);
    return address === null ? null : { name: null, address };
  }
  const open = trimmed.lastIndexOf('<');
  const address = open < 0 ? null : normalizeAddress(trimmed.slice(open + 1, -1));
  const name = parseName(trimmed.slice(0, Math.max(open, 0)));
  return address === null || name === undefined ? null : { name: name === '' ? null : name, address };
}

/** Returns undefined if the phrase before the angle bracket is malformed, and an empty text if there is no phrase. */
function parseName(phrase: string): string | undefined {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(phrase.replaceAll('\t', ' '))) return undefined;
  const folded = phrase.replace(/[ \t]+/g, ' ').trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(folded)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/gu, '$1').trim();
  // A comma or a semicolon outside quotes separates mailboxes, so this text would hold more than one.
  return /["<>,;]/.test(folded) ? undefined : folded;
}

/** Returns the domain of a parsed address, which is the part after its last at sign. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/**
 * Returns the address without the first plus sign of its local part and the text from there to the at sign. A leading plus and quoted local
 * parts stay.
 */
export function stripPlusTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  if (at < 0 || plus < 1 || plus > at || address.startsWith('"')) return address;
  return address.slice(0, plus) + address.slice(at);
}

/** Returns the addresses under which a recipient may have an inbox: its own, and the one without its plus tag. */
export function spellingsOf(recipient: string): Set<string> {
  return new Set([recipient, stripPlusTag(recipient)]);
}
