/*
 * The lines of a session: the paths in the client's commands, and the server's replies.
 *
 * A path is the argument of MAIL FROM and RCPT TO (RFC 5321, section 4.1.2; RFC 6531). It is kept as the client wrote it, since only the
 * owner of the server knows which spellings mean the same mailbox. Syntax is read as generously as real senders need: dots anywhere in a
 * local part, underscores in domains, local parts over 64 bytes (return paths of forwarders).
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

/** The reply to a parameter that was not offered, which must not be taken for a promise (RFC 5321, section 4.1.1.11); otherwise null. */
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

const textLengthMax = 400;
const enhancedPattern = /^([245])\.\d{1,3}\.\d{1,3}(?= |$)/;

/** Replies of the server itself. */
export const replies = {
  tooManyConnections: { code: 421, enhanced: '4.7.0', text: 'Too many connections, try again later' },
  tooManyFromAddress: {
    code: 421,
    enhanced: '4.7.0',
    text: 'Too many connections from your address, try again later',
  },
  tooOftenFromAddress: {
    code: 421,
    enhanced: '4.7.0',
    text: 'Too many new connections from your address, try again in a minute',
  },
  tooManyMessages: {
    code: 450,
    enhanced: '4.7.1',
    text: 'Too many messages from your address, try again in a minute',
  },
  givesWay: { code: 421, enhanced: '4.7.0', text: 'Too many connections, closing an idle one' },
  saysNothing: { code: 421, enhanced: '4.4.2', text: 'Timeout: no command received' },
  tooManyErrors: { code: 421, enhanced: '4.7.0', text: 'Too many errors' },
  tooManyCommands: { code: 421, enhanced: '4.7.0', text: 'Too many commands without a message' },
  dataTooSlow: { code: 421, enhanced: '4.4.2', text: 'Timeout: message data took too long' },
  shuttingDown: { code: 421, enhanced: '4.3.2', text: 'Shutting down, try again later' },
  tooLarge: { code: 552, enhanced: '5.3.4', text: 'Message size exceeds fixed maximum message size' },
  mailLoop: {
    code: 554,
    enhanced: '5.4.6',
    text: 'Too many hops, possible mail loop',
  },
  localError: { code: 451, enhanced: '4.3.0', text: 'Local error in processing, try again later' },
  storageFull: { code: 452, enhanced: '4.3.1', text: 'Insufficient system storage, try again later' },
} as const satisfies Record<string, SmtpReply>;

/** Returns the text of a reply after its code: the enhanced code first, in one line of printable ASCII (RFC 5321, section 4.2). */
export function formatReplyText({ enhanced, text }: SmtpReply): string {
  const printable = text.replace(/[^\x20-\x7e]+/g, '?').slice(0, textLengthMax);
  return `${enhanced} ${printable}`.trimEnd();
}

/** Returns the enhanced code at the start of a reply text, or null. */
export function leadingEnhancedCode(text: string): string | null {
  return enhancedPattern.exec(text)?.[0] ?? null;
}

/** Returns the enhanced code of a 421 that the protocol library writes itself, since its table has only 4.4.2. */
export function enhancedOfClosing(text: string): string {
  if (/shutting down/i.test(text)) return '4.3.2';
  return /timeout/i.test(text) ? '4.4.2' : '4.7.0';
}

/** Returns whether a callback's reply is valid, with codes of one class, so that a typing error does not reach the wire. */
export function isReply({ code, enhanced }: SmtpReply): boolean {
  const codeClass = Math.floor(code / 100);
  return Number.isInteger(code) && [2, 4, 5].includes(codeClass) && enhanced.startsWith(`${codeClass}.`);
}

/** Returns the reply to an exception of this server, with which the sender keeps the message and tries again. */
export function replyForError(error: unknown): SmtpReply {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const code = 'code' in cause ? cause.code : undefined;
    if (cause.name === 'FilesFull' || code === 'ENOSPC' || code === 'EDQUOT') return replies.storageFull;
  }
  return replies.localError;
}
