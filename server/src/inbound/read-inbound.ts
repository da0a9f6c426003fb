import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/sha256.ts';
import type { ParsedMail } from '../mail/parse/parsed-mail.ts';
import type { InboundMail } from './inbound-record.ts';

/** The bytes of a mail, and who brought them. */
export interface ReceivedMail {
  raw: Buffer;
  envelopeFrom: string;
  helo: string | null;
  /** Null for mail that never left this server. */
  remoteAddress: string | null;
  /** Whose turn among the mails that wait to be read it takes; without one, that of all who have none. */
  owner?: string;
}

/** Parses a mail and finds out who really sent it; what cannot be read is left out, and nothing is refused for it. */
export const readInbound = async (deps: Deps, received: ReceivedMail, at: Date): Promise<InboundMail> => {
  const parsed = await parseArrival(deps, received);
  const authentication = await authenticateArrival(deps, received, parsed);
  const { raw, envelopeFrom } = received;
  return { raw, envelopeFrom, parsed, authentication, at, hash: sha256(raw) };
};

const parseArrival = async (deps: Deps, { raw, envelopeFrom, owner }: ReceivedMail): Promise<ParsedMail> => {
  const reading = await deps.parser.parse(raw, { envelopeFrom }, owner);
  if (!('failed' in reading)) return reading;
  deps.log.warn(
    { failed: reading.failed, detail: reading.detail },
    'a mail was read no further than its header',
  );
  return reading.mail;
};

const authenticateArrival = async (deps: Deps, received: ReceivedMail, parsed: ParsedMail) => {
  const { raw, remoteAddress, helo, envelopeFrom, owner } = received;
  if (remoteAddress === null) return null;
  const from = parsed.from?.address ?? null;
  return deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from, owner });
};
