import { Readable } from 'node:stream';
import { limits } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { sesMailSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { unavailable } from '../lib/api-error.ts';
import {
  type FetchFromBucket,
  hasNullReturnPath,
  readSesClient,
  type SesReceived,
} from '../mail/aws/ses-received.ts';
import type {
  EnvelopeRecipient,
  SmtpCallbacks,
  SmtpReply,
  SmtpSession,
} from '../mail/smtp/smtp-callbacks.ts';
import type { MailPlace } from './arrival.ts';
import { sesComeAgainSeconds } from './limits.ts';

/** Takes a mail that SES received. Resolves once nothing is left to do for it, and rejects if SNS should bring it again. */
export type TakeSesMail = (received: SesReceived) => Promise<void>;

/** The bucket that mail may be fetched from, the region of SES, and what decides on recipients and takes mail. */
export interface SesIntake {
  region: string;
  bucket: { name: string; fetch: FetchFromBucket } | null;
  callbacks: SmtpCallbacks<MailPlace>;
}

const tooLarge = { code: 552, enhanced: '5.3.4', text: 'Message too big for system' };

/**
 * Creates a function that receives mail from Amazon SES as if it had arrived by SMTP. Refused recipients are recorded and skipped, because
 * SES has accepted the mail and its sender cannot be told. If a recipient must wait, SNS delivers the mail again, and inboxes that already
 * have it recognise it.
 */
export function createSesIntake(deps: Deps, { region, bucket, callbacks }: SesIntake): TakeSesMail {
  const busy = () => unavailable(undefined, sesComeAgainSeconds);
  const slots = new Slots(sesMailSlots, { refusal: busy });
  const take = async (received: SesReceived): Promise<void> => {
    const raw = await readContent(deps, received, bucket);
    if (raw === null) return;
    if (raw === 'too_large') return refuse(received, region, callbacks);
    const { address: remoteAddress, helo } = readSesClient(raw, received.id, region);
    const from = hasNullReturnPath(raw) ? '' : received.envelopeFrom;
    const session = { id: received.id, remoteAddress, helo, tls: true };
    const replies = await deliver(callbacks, session, { ...received, envelopeFrom: from, raw });
    if (replies.some(({ code }) => code < 500 && code >= 400)) throw busy();
  };
  return (received) => slots.run('ses', () => take(received));
}

/** Checks each recipient and gives the mail to those that accept it. Returns the replies. */
async function deliver(
  callbacks: SmtpCallbacks<MailPlace>,
  session: SmtpSession,
  { envelopeFrom, recipients: given, raw }: SesReceived & { raw: Buffer },
): Promise<SmtpReply[]> {
  const replies: SmtpReply[] = [];
  const recipients: EnvelopeRecipient<MailPlace>[] = [];
  for (const address of new Set(given)) {
    const verdict = await callbacks.onRcpt(session, envelopeFrom, address);
    if (verdict.accept) recipients.push({ address, tag: verdict.tag });
    else replies.push(verdict);
  }
  if (recipients.length === 0) return replies;
  const envelope = { from: envelopeFrom, recipients, smtpUtf8: false };
  return [...replies, await callbacks.onData(session, envelope, Readable.from([raw]))];
}

/** Returns the bytes of a mail; null if there is none to receive, which is logged. */
async function readContent(
  { log }: Deps,
  { id, content }: SesReceived,
  bucket: SesIntake['bucket'],
): Promise<Buffer | 'too_large' | null> {
  if (content === null) {
    log.warn({ mail: id }, 'a receipt rule of Amazon SES notified of an email without storing it');
    return null;
  }
  if ('raw' in content) return content.raw.length > limits.inboundBytesMax ? 'too_large' : content.raw;
  if (bucket === null || content.bucket !== bucket.name) {
    log.error(
      { mail: id, bucket: content.bucket },
      'Amazon SES stored an email in a bucket that is not configured',
    );
    throw unavailable(undefined, sesComeAgainSeconds);
  }
  const raw = await fetchFrom(bucket.fetch, content.key);
  if (raw === 'gone') {
    log.error({ mail: id, key: content.key }, 'an email is no longer in the bucket of Amazon SES');
    return null;
  }
  if (raw === 'too_large') log.error({ mail: id, key: content.key }, 'an email of Amazon SES is too large');
  return raw;
}

async function fetchFrom(fetch: FetchFromBucket, key: string): ReturnType<FetchFromBucket> {
  try {
    return await fetch(key);
  } catch (error) {
    throw unavailable(error, sesComeAgainSeconds);
  }
}

function refuse(
  { id, envelopeFrom, recipients }: SesReceived,
  region: string,
  callbacks: SmtpCallbacks<MailPlace>,
): void {
  const session = { id, remoteAddress: `inbound-smtp.${region}.amazonaws.com`, helo: null, tls: true };
  callbacks.onRefused?.({ ...tooLarge, reason: 'size', session, envelopeFrom, recipients, taken: [] });
}
