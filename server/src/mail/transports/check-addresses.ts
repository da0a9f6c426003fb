import { isAscii } from 'node:buffer';
import type { RelaySession } from './relay-session.ts';
import type { Rejected, TransportJob } from './transport.ts';

const unspeakable = /[\p{Cc}<>]/u;

/** Returns the domain of an address, which is the destination of its messages. */
export function destinationOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
}

/** Returns a rejection for addresses that nodemailer's connection would not put into a command, otherwise null. */
export function findInvalid({ returnPath, recipient }: TransportJob): Rejected | null {
  if (recipient === '' || unspeakable.test(recipient))
    return reject('recipient', '5.1.3', 'The address of the recipient cannot be sent by SMTP.');
  if (unspeakable.test(returnPath))
    return reject('message', '5.1.7', 'The return path cannot be sent by SMTP.');
  return null;
}

/** Returns a rejection for addresses in UTF-8 if the peer does not offer SMTPUTF8 (RFC 6531, section 3.2), otherwise null. */
export function findUnsupported(
  { returnPath, recipient }: TransportJob,
  session: RelaySession,
): Rejected | null {
  if (isAscii(Buffer.from(returnPath + recipient)) || session.takesUtf8) return null;
  return reject(
    'message',
    '5.6.7',
    `The server ${session.relay.host} does not take addresses with letters outside ASCII (SMTPUTF8).`,
  );
}

/** Returns a rejection that no server has made. */
export function reject(scope: Rejected['scope'], enhanced: string, detail: string): Rejected {
  return { kind: 'rejected', scope, code: null, enhanced, detail };
}
