import { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';

/** The bucket in which SES stores mail, its region, and the URL of a compatible service (null: AWS). */
export interface SesBucketSettings {
  region: string;
  bucket: string;
  endpoint: string | null;
  bytesMax: number;
}

/**
 * Returns the bytes of an object; `gone` if there is no such object, `too_large` if it has more than `bytesMax` bytes. Rejects otherwise.
 */
export type FetchFromBucket = (key: string) => Promise<Buffer | 'gone' | 'too_large'>;

/** Amazon SNS waits 15 s for a response, so that two attempts and the filing have to fit into this time. */
const fetchMs = 8_000;
const limits = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

/** Returns a function that fetches mail from the bucket. The AWS SDK is loaded by the first call. */
export function createSesBucket({ region, bucket, endpoint, bytesMax }: SesBucketSettings): FetchFromBucket {
  let connecting: Promise<{ sdk: typeof S3; client: S3.S3Client }> | null = null;
  const connect = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const place = endpoint === null ? {} : { endpoint, forcePathStyle: true };
    const client = new sdk.S3Client({
      region,
      followRegionRedirects: true,
      maxAttempts: 2,
      requestHandler: limits,
      ...place,
    });
    return { sdk, client };
  };
  return async (key) => {
    connecting ??= connect();
    const { sdk, client } = await connecting;
    try {
      const abortSignal = AbortSignal.timeout(fetchMs);
      const object = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), {
        abortSignal,
      });
      if (!(object.Body instanceof Readable)) throw new TypeError('S3 answered without a body.');
      return await collect(object.Body, object.ContentLength ?? 0, { bytesMax, signal: abortSignal });
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return 'gone';
      throw error;
    }
  };
}

async function collect(
  body: Readable,
  sizeBytes: number,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Buffer | 'too_large'> {
  const stop = () => body.destroy(new Error('The object took too long.'));
  signal.addEventListener('abort', stop, { once: true });
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    if (sizeBytes > bytesMax) return 'too_large';
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) return 'too_large';
      pieces.push(piece);
    }
    return Buffer.concat(pieces, bytes);
  } finally {
    signal.removeEventListener('abort', stop);
    body.destroy();
  }
}
