import type * as Ses from '@aws-sdk/client-sesv2';

/** The region of Amazon SES, and the URL of a compatible service (null: AWS). */
export interface SesPlace {
  region: string;
  endpoint: string | null;
}

/** The AWS SDK for SES with a client. */
export interface SesConnection {
  sdk: typeof Ses;
  client: Ses.SESv2Client;
}

const requestHandler = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/**
 * Returns a function that connects to Amazon SES, with the credentials that the AWS SDK finds. The SDK takes 0.1 s to load, so it
 * is loaded by the first call. A call is tried `maxAttempts` times by the SDK.
 */
export function connectLater(
  { region, endpoint }: SesPlace,
  maxAttempts: number,
): () => Promise<SesConnection> {
  let connecting: Promise<SesConnection> | null = null;
  const connect = async (): Promise<SesConnection> => {
    const sdk = await import('@aws-sdk/client-sesv2');
    const service = { region, ...(endpoint !== null && { endpoint }) };
    return { sdk, client: new sdk.SESv2Client({ ...service, maxAttempts, requestHandler }) };
  };
  return () => {
    connecting ??= connect();
    return connecting;
  };
}

/** The state of an account of Amazon SES in one region. */
export interface SesAccount {
  /** In the sandbox of SES, mail goes only to verified addresses. */
  sandbox: boolean;
  sendingEnabled: boolean;
  /** Messages a second. */
  maxSendRate: number;
  /** The number of messages in 24 hours; null if there is no limit. */
  max24Hour: number | null;
  sentLast24Hours: number;
}

/** Reads the state of the account. Rejects with the error of the AWS SDK. */
export async function readSesAccount({ sdk, client }: SesConnection): Promise<SesAccount> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await client.send(
    new sdk.GetAccountCommand({}),
  );
  const { MaxSendRate = 1, Max24HourSend = -1, SentLast24Hours = 0 } = SendQuota ?? {};
  return {
    sandbox: ProductionAccessEnabled !== true,
    sendingEnabled: SendingEnabled === true,
    maxSendRate: MaxSendRate,
    max24Hour: Max24HourSend < 0 ? null : Max24HourSend,
    sentLast24Hours: SentLast24Hours,
  };
}

/** Returns whether an account can send to anyone, with its quotas in one sentence. */
export function describeSesAccount(account: SesAccount): { ok: boolean; detail: string } {
  const { sandbox, sendingEnabled, maxSendRate, max24Hour, sentLast24Hours } = account;
  const quotas = `${maxSendRate} messages a second, ${sentLast24Hours} of ${max24Hour ?? 'any number'} in 24 hours`;
  if (!sendingEnabled) return { ok: false, detail: `AWS has paused sending for the account (${quotas}).` };
  if (max24Hour !== null && sentLast24Hours >= max24Hour)
    return { ok: false, detail: `the 24-hour quota is used up (${quotas}).` };
  return sandbox
    ? {
        ok: false,
        detail: `the account is in the sandbox of SES and sends only to verified addresses (${quotas}). Request production access in the SES console.`,
      }
    : { ok: true, detail: `ready, ${quotas}.` };
}
