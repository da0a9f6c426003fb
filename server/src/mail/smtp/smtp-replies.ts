import type { SmtpReply } from './smtp-callbacks.ts';

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
