/*
 * Hands messages to Amazon SES by its API, with one call for each recipient, and never twice. A call is not repeated: `onHandover` is
 * awaited on an open connection before its first byte is written, and if the connection is lost after the last byte, SES may have the
 * message. SES writes the envelope sender itself, so bounces do not come to our return paths but are reported through Amazon SNS.
 */
import { domainToASCII } from 'node:url';
import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { sesCalls } from '../../lib/admission/server-limits.ts';
import {
  explainCredentials,
  isThrottled,
  judgeSesRefusal,
  readAwsFailure,
  sendRights,
} from '../aws/aws-failure.ts';
import { SendEmailFailed, sendEmail } from '../aws/send-email.ts';
import {
  connectLater,
  describeSesAccount,
  readSesAccount,
  type SesConnection,
  type SesPlace,
} from '../aws/ses-client.ts';
import { sesMessageIds } from '../aws/ses-notification.ts';
import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';
import { followRate, SesTurns } from './ses-turns.ts';
import {
  deferredByRelay,
  type Outcome,
  type Rejected,
  type Transport,
  type TransportCheck,
  type TransportJob,
} from './transport.ts';

/** The place of SES, what messages are sent with, and limits that all have a default. */
export interface SesTransportSettings extends SesPlace, Partial<SesTransportLimits> {
  configurationSet: string | null;
}

interface SesTransportLimits {
  atOnceMax: number;
  /** The places that no single workspace takes. */
  keptForOthers: number;
  /** The messages that may wait for their turn, in all and of one workspace. */
  waitingMax: number;
  waitingOfOwnerMax: number;
  connectTimeoutMs: number;
  /** The time for which SES can be silent after a message before it counts as unconfirmed. */
  silentMs: number;
  /** The interval at which the sending rate of the account is read. */
  accountEveryMs: number;
  closeGraceMs: number;
}

const defaults: SesTransportLimits = {
  ...sesCalls,
  connectTimeoutMs: 10_000,
  silentMs: 60_000,
  accountEveryMs: 300_000,
  closeGraceMs: 5_000,
};
const throttledPauseMs = 1_000;
const queueFull = 'Too many messages are waiting for Amazon SES, because of its sending rate.';

/** Creates a transport over the API of Amazon SES. An accepted message is sent, not yet delivered. */
export function createSesTransport(given: SesTransportSettings): Transport {
  const settings = { ...defaults, ...given };
  const turns = new SesTurns(settings);
  const connect = connectLater(settings, 1);
  const cut = new AbortController();
  const readRate = async () => (await readSesAccount(await connect())).maxSendRate;
  const rateKnown = followRate(readRate, settings.accountEveryMs, turns);

  async function attempt(job: TransportJob, signal: AbortSignal): Promise<Outcome> {
    try {
      const messageId = await sendEmail(await connect(), sesRequest(job, settings), {
        ...settings,
        signal,
        onHandover: job.onHandover,
      });
      return accepted(messageId, settings.region);
    } catch (error) {
      if (!(error instanceof SendEmailFailed)) throw error;
      if (isThrottled(error.cause)) turns.pause(throttledPauseMs);
      return judge(error, job.recipient);
    }
  }

  return {
    name: 'ses',
    submit: async (job) => {
      const recipient = addressForSes(job.recipient);
      if (recipient === null) return unsupported;
      await rateKnown();
      const signal = job.signal ? AbortSignal.any([job.signal, cut.signal]) : cut.signal;
      const owner = job.names?.workspaceId ?? '';
      const fullMs = turns.fullForMs(owner);
      if (fullMs > 0) return { ...deferredByRelay(queueFull), retryAfterMs: fullMs };
      const outcome = await turns.run(owner, signal, () => attempt({ ...job, recipient }, signal));
      return outcome ?? deferredByRelay('The transport is closing, or the attempt was cancelled.');
    },
    check: () => checkAccount(connect),
    close: async (graceMs = settings.closeGraceMs) => {
      await turns.close(graceMs);
      cut.abort(new Error('The transport was closed.'));
      await turns.ended();
    },
  };
}

function sesRequest(
  { raw, recipient, names }: TransportJob,
  { configurationSet }: SesTransportSettings,
): SendEmailCommandInput {
  const from = readFromField(raw);
  return {
    // Without it, SES uses the From field of the message.
    ...(from !== null && { FromEmailAddress: from }),
    Destination: { ToAddresses: [recipient] },
    Content: { Raw: { Data: raw } },
    ...(configurationSet !== null && { ConfigurationSetName: configurationSet }),
    ...(names && {
      EmailTags: [
        { Name: 'workspace', Value: names.workspaceId },
        { Name: 'message', Value: names.messageId },
        { Name: 'recipient', Value: String(names.position) },
      ],
    }),
  };
}

function accepted(providerMessageId: string | null, region: string): Outcome {
  return {
    kind: 'accepted',
    providerMessageId,
    detail: null,
    final: false,
    ...(providerMessageId !== null && { messageIds: sesMessageIds(providerMessageId, region) }),
  };
}

function judge({ cause, phase, status }: SendEmailFailed, recipient: string): Outcome {
  if (status !== null) return judgeSesRefusal(cause, status, recipient);
  const { text } = readAwsFailure(cause);
  if (phase === 'complete')
    return { kind: 'unconfirmed', detail: `Amazon SES did not say whether it accepted the message: ${text}` };
  return deferredByRelay(explainCredentials(cause, sendRights) ?? `Amazon SES could not be reached: ${text}`);
}

const unsupported: Rejected = {
  kind: 'rejected',
  scope: 'message',
  code: null,
  enhanced: '5.6.7',
  detail: 'Amazon SES does not accept addresses with non-ASCII letters before the at sign.',
};

/** Returns an address with its domain as A-labels. Returns null if SES cannot send to it, since it does not support RFC 6531. */
function addressForSes(address: string): string | null {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  return /^[\x21-\x7e]+$/.test(local) && domain !== '' ? `${local}@${domain}` : null;
}

async function checkAccount(connect: () => Promise<SesConnection>): Promise<TransportCheck> {
  try {
    return describeSesAccount(await readSesAccount(await connect()));
  } catch (error) {
    const { text } = readAwsFailure(error);
    const detail = explainCredentials(error, 'ses:GetAccount') ?? `Amazon SES cannot be asked: ${text}`;
    return { ok: false, detail };
  }
}

/** Returns the value of the From field as it is, on one line with encoded words; null unless there is exactly one such field. */
export function readFromField(raw: Buffer): string | null {
  const [value, ...others] = allValues(readHeaderFields(raw), 'from');
  return value !== undefined && others.length === 0 ? value.trim() : null;
}
