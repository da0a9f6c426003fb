import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import type { ParsedMail } from '../mail/parse/parsed-mail.ts';
import type { InboundMail } from './inbound-record.ts';

/** The bytes of a mail, with the client and the envelope sender. */
export interface ReceivedMail {
  raw: Buffer;
  envelopeFrom: string;
  helo: string | null;
  /** Null for mail that never left this server. */
  remoteAddress: string | null;
  /** The owner whose turn it takes among mails waiting to be read. Mails without an owner share one. */
  owner?: string;
}

/** Parses and authenticates a mail. Parts that cannot be read are left out; no mail is refused for them. */
export async function readInbound(deps: Deps, received: ReceivedMail, at: Date): Promise<InboundMail> {
  const parsed = await parseArrival(deps, received);
  const checked = await authenticateArrival(deps, received, parsed);
  const { authentication, rejectedBy } = checked ?? { authentication: null, rejectedBy: null };
  const { raw, envelopeFrom } = received;
  return { raw, envelopeFrom, parsed, authentication, rejectedBy, at, hash: sha256(raw) };
}

async function parseArrival(deps: Deps, { raw, envelopeFrom, owner }: ReceivedMail): Promise<ParsedMail> {
  const reading = await deps.parser.parse(raw, { envelopeFrom }, owner);
  if (!('failed' in reading)) return reading;
  deps.log.warn({ failed: reading.failed, detail: reading.detail }, 'only the header of a mail was parsed');
  return reading.mail;
}

async function authenticateArrival(deps: Deps, received: ReceivedMail, parsed: ParsedMail) {
  const { raw, remoteAddress, helo, envelopeFrom, owner } = received;
  if (remoteAddress === null) return null;
  const from = parsed.from?.address ?? null;
  return deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from, owner });
}
