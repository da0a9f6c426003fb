/*
 * Sender domains at Amazon SES, with keys of our own (BYODKIM), so that a domain has one key and one set of records whichever transport
 * sends its mail. Nothing here logs, and no error has the key or the text of a request.
 */
import { createPrivateKey } from 'node:crypto';
import { explainCredentials, readAwsFailure } from './aws-failure.ts';
import {
  connectLater,
  readSesAccount,
  type SesAccount,
  type SesConnection,
  type SesPlace,
} from './ses-client.ts';

/** A domain that is to send by SES. */
export interface SesIdentityInput {
  hostname: string;
  /** The DKIM selector, whose record has the public key. */
  selector: string;
  /** An RSA key of 1024 to 2048 bits as PEM. */
  privateKeyPem: string;
  /** The subdomain of return paths, whose MX leads to SES. Without it, SES uses its own domain. */
  mailFromDomain: string | null;
  /** The configuration set that messages of the domain are sent with by default. */
  configurationSet: string | null;
}

/** The state of a domain at SES. */
export interface SesIdentityState {
  dkimStatus: 'SUCCESS' | 'PENDING' | 'FAILED' | 'TEMPORARY_FAILURE' | 'NOT_STARTED';
  /** Null without a MAIL FROM domain. */
  mailFromStatus: 'SUCCESS' | 'PENDING' | 'FAILED' | 'TEMPORARY_FAILURE' | null;
  verifiedForSending: boolean;
  /** One sentence on the missing part; null if nothing is missing. */
  detail: string | null;
}

/** Thrown if SES refused a call or could not be asked: one sentence. */
export class SesIdentityError extends Error {
  override name = 'SesIdentityError' as const;
}

/** Manages domains at SES. All functions throw SesIdentityError. */
export interface SesIdentities {
  /**
   * Makes SES know a domain with its key and MAIL FROM domain, and returns its state. It may be called again. A key under the same selector
   * counts as the same key, because SES stops signing for a while when it is given one.
   */
  ensure(input: SesIdentityInput): Promise<SesIdentityState>;
  /** Returns the state of a domain; null if SES does not know it. */
  read(hostname: string): Promise<SesIdentityState | null>;
  /** Makes SES forget a domain that has the key with this selector. One that it does not know, or knows with another key, is no error. */
  remove(hostname: string, selector: string): Promise<void>;
  account(): Promise<SesAccount>;
}

const rsaBitsMax = 2048;
const rsaBitsMin = 1024;

/** Manages domains in one region of SES. The AWS SDK is loaded by the first call, and tries each call three times. */
export function createSesIdentities(place: SesPlace): SesIdentities {
  const connect = connectLater(place, 3);
  const read = (hostname: string) =>
    call('ses:GetEmailIdentity', async () => readIdentity(await connect(), hostname));
  return {
    read,
    account: () => call('ses:GetAccount', async () => readSesAccount(await connect())),
    ensure: async (input) => {
      const DomainSigningPrivateKey = keyForSes(input.privateKeyPem);
      const signing = { DomainSigningSelector: input.selector, DomainSigningPrivateKey };
      const connection = await connect();
      await ensureKey(connection, input, signing);
      await ensureMailFrom(connection, input);
      const state = await read(input.hostname);
      if (state === null) throw new SesIdentityError(`Amazon SES no longer knows ${input.hostname}.`);
      return state;
    },
    remove: async (hostname, selector) => {
      const { sdk, client } = await connect();
      const known = await call('ses:GetEmailIdentity', () =>
        unlessUnknown(client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity: hostname }))),
      );
      const { SigningAttributesOrigin, Tokens } = known?.DkimAttributes ?? {};
      if (SigningAttributesOrigin !== 'EXTERNAL' || Tokens?.join() !== selector) return;
      await call('ses:DeleteEmailIdentity', () =>
        unlessUnknown(client.send(new sdk.DeleteEmailIdentityCommand({ EmailIdentity: hostname }))),
      );
    },
  };
}

interface Signing {
  DomainSigningSelector: string;
  DomainSigningPrivateKey: string;
}

async function ensureKey(
  { sdk, client }: SesConnection,
  { hostname, selector, configurationSet }: SesIdentityInput,
  signing: Signing,
): Promise<void> {
  const EmailIdentity = hostname;
  const known = await call('ses:GetEmailIdentity', () =>
    unlessUnknown(client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity }))),
  );
  if (known === null) {
    const set = configurationSet === null ? {} : { ConfigurationSetName: configurationSet };
    const create = { EmailIdentity, DkimSigningAttributes: signing, ...set };
    const made = await call('ses:CreateEmailIdentity', () =>
      unlessExisting(client.send(new sdk.CreateEmailIdentityCommand(create))),
    );
    if (made !== null) return;
  }
  const { SigningAttributesOrigin, Tokens } = known?.DkimAttributes ?? {};
  if (SigningAttributesOrigin === 'EXTERNAL' && Tokens?.join() === selector) return;
  const change = { EmailIdentity, SigningAttributesOrigin: 'EXTERNAL', SigningAttributes: signing } as const;
  await call('ses:PutEmailIdentityDkimSigningAttributes', () =>
    client.send(new sdk.PutEmailIdentityDkimSigningAttributesCommand(change)),
  );
}

async function ensureMailFrom(
  { sdk, client }: SesConnection,
  { hostname, mailFromDomain }: SesIdentityInput,
): Promise<void> {
  if (mailFromDomain === null) return;
  const change = {
    EmailIdentity: hostname,
    MailFromDomain: mailFromDomain,
    // Mail is still sent while the MX record is missing, with a return path of SES.
    BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
  } as const;
  await call('ses:PutEmailIdentityMailFromAttributes', () =>
    client.send(new sdk.PutEmailIdentityMailFromAttributesCommand(change)),
  );
}

async function readIdentity(
  { sdk, client }: SesConnection,
  hostname: string,
): Promise<SesIdentityState | null> {
  const found = await unlessUnknown(
    client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity: hostname })),
  );
  if (found === null) return null;
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom, VerificationInfo: info } = found;
  const dkimStatus = dkim?.Status ?? 'NOT_STARTED';
  const mailFromStatus = mailFrom?.MailFromDomain ? (mailFrom.MailFromDomainStatus ?? 'PENDING') : null;
  const verifiedForSending = found.VerifiedForSendingStatus === true;
  const detail = describeMissing({ dkimStatus, mailFromStatus, error: info?.ErrorType ?? null });
  return { dkimStatus, mailFromStatus, verifiedForSending, detail };
}

const verificationErrors: Record<string, string> = {
  HOST_NOT_FOUND: 'the record of the DKIM selector does not exist',
  TYPE_NOT_FOUND: 'the name of the DKIM selector has no TXT record',
  INVALID_VALUE: 'the record of the DKIM selector has another key',
  DNS_SERVER_ERROR: 'the name servers of the domain did not answer',
  SERVICE_ERROR: 'Amazon SES failed to look',
};

interface Statuses extends Pick<SesIdentityState, 'dkimStatus' | 'mailFromStatus'> {
  error: string | null;
}

function describeMissing({ dkimStatus, mailFromStatus, error }: Statuses): string | null {
  if (dkimStatus !== 'SUCCESS') {
    const cause = error === null ? undefined : verificationErrors[error];
    return `Amazon SES has not verified the DKIM key yet${cause ? `: ${cause}` : ''}.`;
  }
  return mailFromStatus === null || mailFromStatus === 'SUCCESS'
    ? null
    : 'Amazon SES has not found the MX record of the MAIL FROM domain yet.';
}

/** Returns a key as SES takes it: PKCS #8 in base64, without the lines around it. */
function keyForSes(pem: string): string {
  const key = parseKey(pem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < rsaBitsMin || bits > rsaBitsMax)
    throw new SesIdentityError(
      `Amazon SES signs with RSA keys of ${rsaBitsMin} to ${rsaBitsMax} bits, and this is another one.`,
    );
  return key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

function parseKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new SesIdentityError('The DKIM key is not a private key in PEM.');
  }
}

async function unlessUnknown<T>(answer: Promise<T>): Promise<T | null> {
  return unlessCode(answer, 'NotFoundException');
}

async function unlessExisting<T>(answer: Promise<T>): Promise<T | null> {
  return unlessCode(answer, 'AlreadyExistsException');
}

async function unlessCode<T>(answer: Promise<T>, code: string): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (readAwsFailure(error).code === code) return null;
    throw error;
  }
}

/** Makes a call. Its error is replaced, without a cause, since that could name the key. */
async function call<T>(action: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, status } = readAwsFailure(error);
    const refused = status === null ? 'could not be reached' : `refused ${action} with ${status} ${code}`;
    throw new SesIdentityError(explainCredentials(error, action) ?? `Amazon SES ${refused}.`);
  }
}
