/*
 * The argument of MAIL FROM and RCPT TO (RFC 5321, section 4.1.2; RFC 6531). It is kept as the client wrote it, since only
 * the owner of the server knows which spellings mean the same mailbox. Syntax is read as generously as real senders need:
 * dots anywhere in a local part, underscores in domains, local parts over 64 bytes (return paths of forwarders).
 */
import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { SmtpReply } from './smtp-callbacks.ts';

/** The commands that name a path. */
export type PathVerb = 'MAIL FROM' | 'RCPT TO';

/** A path with its ESMTP parameters: keys in upper case, true for a parameter without a value. */
export interface PathCommand {
  address: string;
  args: Record<string, string | true> | false;
  /** A parameter that was given twice. */
  duplicate?: string;
}

/** The parameters that EHLO offers, by command. No others may follow a path. */
const offered: Record<PathVerb, string[]> = { 'MAIL FROM': ['SIZE', 'BODY', 'SMTPUTF8'], 'RCPT TO': [] };

/** RFC 5321, section 4.5.3.1.3: 256 with the angle brackets. */
const addressBytesMax = 254;
const domainLengthMax = 253;

// Controls, U+FFFD from invalid UTF-8, and invisible characters that make one address look like another.
const unsafePattern = /[\p{Cc}\u200b\u2060\ufeff\ufffd]/u;
const unquotedLocalPattern = /^[^\s"(),:;<>@[\\\]]+$/;
const sourceRoutePattern = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
const parameterPattern = /^([a-z0-9][a-z0-9-]*)(?:=(.*))?$/is;
const domainLabelPattern = /^[A-Za-z0-9_\u{80}-\u{10ffff}-]+$/u;

/** Reads the line of `MAIL FROM` or `RCPT TO`; null for a syntax error. The null sender and a bare `postmaster` are addresses. */
export function parsePathCommand(verb: PathVerb, line: string): PathCommand | null {
  const start = new RegExp(`^${verb}:\\s*<`, 'i').exec(line)?.[0].length;
  if (start === undefined) return null;
  const end = findPathEnd(line, start);
  if (end < 0) return null;
  const address = line.slice(start, end).replace(sourceRoutePattern, '');
  if (!isPath(verb, address)) return null;
  const rest = line.slice(end + 1);
  return rest === '' || /^\s/.test(rest) ? parseParameters(address, rest) : null;
}

/** The answer to a parameter that was not offered, which must not be taken for a promise (RFC 5321, section 4.1.1.11); else null. */
export function refuseParameters(verb: PathVerb, args: PathCommand['args']): SmtpReply | null {
  const unknown = Object.keys(args || {}).find((name) => !offered[verb].includes(name));
  return unknown === undefined
    ? null
    : { code: 555, enhanced: '5.5.4', text: `Parameter not recognized or not implemented: ${unknown}` };
}

/** Where the path closes: at the first angle bracket outside of quotes. */
function findPathEnd(line: string, start: number): number {
  let quoted = false;
  for (let i = start; i < line.length; i += 1) {
    const char = line[i];
    if (char === '"') quoted = !quoted;
    else if (quoted && char === '\\') i += 1;
    else if (!quoted && char === '>') return i;
  }
  return -1;
}

function isPath(verb: PathVerb, address: string): boolean {
  if (verb === 'MAIL FROM' && address === '') return true;
  // RFC 5321, section 4.1.1.3: this one recipient needs no domain.
  if (verb === 'RCPT TO' && address.toLowerCase() === 'postmaster') return true;
  if (unsafePattern.test(address) || Buffer.byteLength(address) > addressBytesMax) return false;
  const at = address.lastIndexOf('@');
  return at > 0 && isLocalPart(address.slice(0, at)) && isDomain(address.slice(at + 1));
}

function isLocalPart(local: string): boolean {
  return unquotedLocalPattern.test(local) || /^"(?:[^"\\]|\\.)*"$/su.test(local);
}

function isDomain(domain: string): boolean {
  if (domain.startsWith('[')) return isAddressLiteral(domain);
  if (domain.length > domainLengthMax) return false;
  const labels = domain.split('.');
  if (!labels.every((label) => domainLabelPattern.test(label) && !/^-|-$/.test(label))) return false;
  return domainToASCII(domain) !== '';
}

function isAddressLiteral(domain: string): boolean {
  const content = /^\[(.+)\]$/s.exec(domain)?.[1] ?? '';
  return isIPv4(content) || (/^ipv6:/i.test(content) && isIPv6(content.slice(5)));
}

function parseParameters(address: string, text: string): PathCommand | null {
  const args: Record<string, string | true> = {};
  const words = text.split(/[ \t]+/).filter((word) => word !== '');
  let duplicate: string | undefined;
  for (const word of words) {
    const [, name, value] = parameterPattern.exec(word) ?? [];
    if (name === undefined || unsafePattern.test(word)) return null;
    const key = name.toUpperCase();
    if (key in args) duplicate = key;
    args[key] = value === undefined || value === '' ? true : value;
  }
  const found = words.length > 0 ? args : (false as const);
  return duplicate === undefined ? { address, args: found } : { address, args: found, duplicate };
}
