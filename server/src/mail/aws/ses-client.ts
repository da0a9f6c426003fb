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
 * Returns a function that connects to Amazon SES, with the credentials that the AWS SDK finds by itself. The SDK takes 0.1 s to load, so it
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
