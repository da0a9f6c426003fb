import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import type { ParsedMail } from '../mail/parse/parsed-mail.ts';
import type { InboundMail, ParseState } from './inbound-record.ts';

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

/**
 * Parses and authenticates a mail. Parts that cannot be read are left out; no mail is refused for them. If the parser does not get to the
 * mail within `patienceMs`, it has its header alone and is to be parsed again.
 */
export async function readInbound(
  deps: Deps,
  received: ReceivedMail,
  at: Date,
  patienceMs: number = deps.parsePatienceMs,
): Promise<InboundMail> {
  const { parsed, state } = await parseArrival(deps, received, patienceMs);
  const checked = await authenticateArrival(deps, received, parsed);
  const { authentication, rejectedBy } = checked ?? { authentication: null, rejectedBy: null };
  const { raw, envelopeFrom, remoteAddress, helo } = received;
  const hash = sha256(raw);
  return { raw, hash, envelopeFrom, remoteAddress, helo, parsed, state, authentication, rejectedBy, at };
}

async function parseArrival(
  deps: Deps,
  { raw, envelopeFrom, owner }: ReceivedMail,
  patienceMs: number,
): Promise<{ parsed: ParsedMail; state: ParseState }> {
  const result = await deps.parser.parse(raw, { envelopeFrom }, owner, patienceMs);
  if (!('failed' in result)) return { parsed: result, state: 'parsed' };
  const { failed, detail, isFinal, mail } = result;
  deps.log.warn({ failed, detail, isFinal }, 'only the header of a mail was parsed');
  return { parsed: mail, state: isFinal ? 'unparsable' : 'unparsed' };
}

async function authenticateArrival(deps: Deps, received: ReceivedMail, parsed: ParsedMail) {
  const { raw, remoteAddress, helo, envelopeFrom, owner } = received;
  if (remoteAddress === null) return null;
  const from = parsed.from?.address ?? null;
  return deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from, owner });
}
