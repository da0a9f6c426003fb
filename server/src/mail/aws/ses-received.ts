import { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readHeaderFields } from '../parse/read-header-fields.ts';

/** A mail that Amazon SES received, as a notification tells of it. */
export interface SesReceived {
  /** The id of the mail at SES. */
  id: string;
  /** The envelope sender; empty for the null sender. */
  envelopeFrom: string;
  /** The envelope recipients that the receipt rule applies to. */
  recipients: string[];
  /** The object that has the mail, or the mail itself; null if the rule did something else with it. */
  content: { bucket: string; key: string } | { raw: Buffer } | null;
}

/** The limit of SES for one mail is lower. */
const recipientsMax = 500;

const Received = z.object({
  notificationType: z.literal('Received'),
  mail: z.object({ messageId: z.string().min(1).max(255), source: z.string().max(1_000).nullish() }),
  receipt: z.object({
    recipients: z.array(z.string().min(1).max(1_000)).min(1).max(recipientsMax),
    action: z.object({
      type: z.string(),
      bucketName: z.string().optional(),
      objectKey: z.string().max(1_024).optional(),
      encoding: z.string().optional(),
    }),
  }),
  content: z.string().optional(),
});

/** Returns the received mail that a notification is about, or null if it is about something else. */
export function readSesReceived(json: string): SesReceived | null {
  try {
    const { mail, receipt, content } = Received.parse(JSON.parse(json));
    const { type, bucketName: bucket, objectKey: key, encoding } = receipt.action;
    const source = mail.source?.trim() ?? '';
    return {
      id: mail.messageId,
      envelopeFrom: source === '<>' ? '' : source,
      recipients: receipt.recipients,
      content:
        type === 'S3' && bucket && key
          ? { bucket, key }
          : content !== undefined
            ? { raw: decodeContent(content, encoding) }
            : null,
    };
  } catch {
    return null;
  }
}

/** The encoding is that of the action of the receipt rule. Mail itself is not base64, because its header has colons. */
function decodeContent(content: string, encoding: string | undefined): Buffer {
  const isBase64 = /^base64$/i.test(encoding ?? '') || /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(content);
  return Buffer.from(content, isBase64 ? 'base64' : 'utf8');
}

/** The client that gave a mail to SES. */
interface SesClient {
  address: string;
  helo: string | null;
}

const receivedPattern =
  /^from\s+(\S{1,255})\s+(?:\([^()[\]]{0,255})?\[(?:IPv6:)?([0-9a-f.:]{2,45})\]\)?\s+by\s+(inbound-smtp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?)\s[^;]*?\bid\s+(\S+)/i;

/**
 * Returns the client that gave a mail to SES, from the first `Received` field, which SES wrote if it has the id of the mail. Everything
 * below it may be forged. Otherwise the client is SES itself, by its name, so that SPF has no result.
 */
export function readSesClient(raw: Buffer, id: string, region: string): SesClient {
  const first = readHeaderFields(raw).find(({ name }) => name === 'received');
  const [, helo = null, address = '', , namedId] = receivedPattern.exec(first?.value ?? '') ?? [];
  return namedId === id ? { address, helo } : { address: `inbound-smtp.${region}.amazonaws.com`, helo: null };
}

/** Returns whether SES wrote the null sender above the mail. */
export function hasNullReturnPath(raw: Buffer): boolean {
  const [first] = readHeaderFields(raw);
  return first?.name === 'return-path' && first.value.trim() === '<>';
}

/** The bucket in which SES stores mail, its region, and the URL of a compatible service (null: AWS). */
interface SesBucketSettings {
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
