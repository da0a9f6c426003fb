import { settingNames } from '../../lib/start/start-error.ts';
import type { Deferred, Outcome, Rejected } from '../transports/transport.ts';

/** A failed call to AWS. */
interface AwsFailure {
  /** The error code, such as `TooManyRequestsException`; empty if AWS did not respond. */
  code: string;
  /** The HTTP status; null without a response. */
  status: number | null;
  /** The message on one line, of at most 300 characters. It may name the account, so it is not shown to tenants as it is. */
  text: string;
}

const textLengthMax = 300;

/** Returns the text of an error of the AWS SDK. */
export function readAwsFailure(error: unknown): AwsFailure {
  if (!(error instanceof Error)) return { code: '', status: null, text: String(error) };
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? null;
  const text = error.message.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return { code: status === null ? '' : error.name, status, text: text.slice(0, textLengthMax) };
}

const expired = new Set(['ExpiredToken', 'ExpiredTokenException']);
const refused = new Set([
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'MissingAuthenticationTokenException',
  'IncompleteSignature',
]);
const skewed = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture']);

/**
 * Returns the problem of the credentials or the clock of this server, in one sentence; null if the failure is about something else. The
 * sentence never contains the text of AWS, which names users and roles.
 */
export function explainCredentials(error: unknown, action: string): string | null {
  const { code, text } = readAwsFailure(error);
  if (error instanceof Error && error.name === 'CredentialsProviderError')
    return 'No AWS credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.';
  if (expired.has(code)) return 'The AWS credentials of this server have expired.';
  if (skewed.has(code) || (refused.has(code) && /Signature (expired|not yet current)/i.test(text)))
    return 'AWS refuses requests because the clock of this server is wrong.';
  if (refused.has(code)) return 'AWS does not accept the credentials of this server.';
  if (code === 'AccessDeniedException' || code === 'AccessDenied')
    return `The AWS credentials of this server do not allow ${action}.`;
  return null;
}

/*
 * The outcomes of failed calls to `SendEmail`. Amazon SES states that a message is not sent if the call returns an error, so an error code
 * with a 4xx status is a certain refusal, and so is 503 with the code of an overload, which is decided before a message is processed. Any
 * other 5xx is an error of unknown extent, and a response without a code may come from a machine in front of SES. After these the message
 * counts as unconfirmed.
 */

/** The rights that sending needs; the second is that to send MIME as it is. */
export const sendRights = 'ses:SendEmail and ses:SendRawEmail';

const second = 1_000;
const minute = 60 * second;

const throttles = new Set(['Throttling', 'ThrottlingException', 'TooManyRequestsException']);
const overloads = new Set([...throttles, 'ServiceUnavailable', 'ServiceUnavailableException']);

/** Returns the outcome of a call that failed with a response. `recipient` is the address that the message was for. */
export function judgeSesRefusal(error: unknown, status: number, recipient: string): Outcome {
  const failure = { ...readAwsFailure(error), status };
  if (status < 300) return { kind: 'unconfirmed', detail: 'Amazon SES gave a response that cannot be read.' };
  if (status >= 500)
    return status === 503 && overloads.has(failure.code)
      ? defer('Amazon SES is overloaded.', minute)
      : { kind: 'unconfirmed', detail: `Amazon SES failed with an internal error (${status}).` };
  const explained = explainCredentials(error, sendRights);
  if (explained !== null) return defer(explained, 5 * minute);
  if (throttles.has(failure.code))
    return isThrottled(error)
      ? defer('Amazon SES accepts no more messages in this second.', 2 * second)
      : quotaUsed;
  return judgeCode(failure, recipient) ?? judgeStatus(failure);
}

/** Returns whether messages were sent faster than the account allows. That passes within a second. */
export function isThrottled(error: unknown): boolean {
  const { code, text } = readAwsFailure(error);
  return throttles.has(code) && !/daily/i.test(text);
}

function judgeCode({ code, text }: AwsFailure, recipient: string): Outcome | null {
  switch (code) {
    case 'LimitExceededException':
      return quotaUsed;
    case 'SendingPausedException':
      return defer('AWS has paused sending for the account or the configuration set.', 15 * minute);
    case 'AccountSuspendedException':
      return defer('AWS has permanently restricted sending for the account.', 60 * minute);
    case 'MailFromDomainNotVerifiedException':
      return defer(
        'Amazon SES has not verified the MAIL FROM domain of the sender. Check its MX and SPF records.',
        15 * minute,
      );
    case 'NotFoundException':
      return defer(
        `Amazon SES does not know the configuration set. Check ${settingNames.sesConfigurationSet}.`,
        15 * minute,
      );
    case 'MessageRejected':
      return /address(es)? (is|are) not verified/i.test(text) ? notVerified(text, recipient) : reject(text);
    case 'BadRequestException':
      return reject(text);
    default:
      return null;
  }
}

function judgeStatus({ status, code, text }: AwsFailure): Outcome {
  return status === 400 || status === 413
    ? reject(text)
    : defer(`Amazon SES responded with ${status} ${code}.`.replace(/ (Unknown\w*)?\.$/, '.'));
}

const quotaUsed = defer('The Amazon SES account has used up its 24-hour quota.', 15 * minute);

/** In the sandbox of SES, the recipient must be verified, too. */
function notVerified(text: string, recipient: string): Deferred {
  return text.toLowerCase().includes(recipient.toLowerCase())
    ? defer(
        'The Amazon SES account is in the sandbox and sends only to verified addresses. Request production access, or verify the recipient.',
        15 * minute,
      )
    : defer('Amazon SES has not verified the domain or address of the sender.', 15 * minute);
}

function defer(detail: string, retryAfterMs?: number): Deferred {
  return {
    kind: 'deferred',
    cause: 'relay',
    code: null,
    enhanced: null,
    detail,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function reject(text: string): Rejected {
  return { kind: 'rejected', scope: 'message', code: null, enhanced: null, detail: `Amazon SES: ${text}` };
}
