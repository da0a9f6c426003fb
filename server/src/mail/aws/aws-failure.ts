/** What is known about a failed call to AWS. */
export interface AwsFailure {
  /** The error code, such as `TooManyRequestsException`; empty if AWS did not respond. */
  code: string;
  /** The HTTP status; null without a response. */
  status: number | null;
  /** The message on one line, of at most 300 characters. It may name the account, so it is not shown to tenants as it is. */
  text: string;
}

const textLengthMax = 300;

/** Returns what an error of the AWS SDK says. */
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
 * Returns what is wrong with the credentials or the clock of this server, in one sentence; null if the failure is about something else.
 * The sentence never has the text of AWS, which names users and roles.
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
