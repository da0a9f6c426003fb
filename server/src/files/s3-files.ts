import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import { type ByteRange, checkRange, type Files, FilesFull, type OpenedFile, splitKey } from './files.ts';
import { readSource } from './read-source.ts';

/** The bucket that holds the files, the prefix of their names, and the URL of the service (null: AWS). */
export interface S3Settings {
  bucket: string;
  prefix: string;
  endpoint: string | null;
}

interface Connection {
  sdk: typeof S3;
  client: S3.S3Client;
}

const keysPerRequest = 1_000;

/**
 * Creates file storage in a bucket of S3 or of a compatible service, with the region and credentials that the AWS SDK finds. A
 * file is held in memory while it is stored, because S3 needs its length first.
 */
export function createS3Files(settings: S3Settings): Files {
  return new S3Files(settings);
}

class S3Files implements Files {
  readonly #bucket: string;
  readonly #root: string[];
  readonly #endpoint: string | null;
  #connecting: Promise<Connection> | null = null;

  constructor({ bucket, prefix, endpoint }: S3Settings) {
    this.#bucket = bucket;
    this.#root = prefix.split('/').filter((segment) => segment !== '');
    this.#endpoint = endpoint;
  }

  async put(key: string, source: Readable | Uint8Array, { bytesMax }: { bytesMax?: number } = {}) {
    const Key = this.#nameOf(key);
    const chunks: Uint8Array[] = [];
    const stored = await readSource(source, bytesMax, async (chunk) => {
      chunks.push(chunk);
    });
    const Body = Buffer.concat(chunks, stored.sizeBytes);
    const ChecksumSHA256 = stored.sha256.toString('base64');
    try {
      const { sdk, client } = await this.#connect();
      await client.send(new sdk.PutObjectCommand({ Bucket: this.#bucket, Key, Body, ChecksumSHA256 }));
    } catch (error) {
      throw hasStatus(error, 507) ? new FilesFull(error) : error;
    }
    return stored;
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | null> {
    const Key = this.#nameOf(key);
    if (range !== undefined) checkRange(range);
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const { sdk, client } = await this.#connect();
    try {
      const command = new sdk.GetObjectCommand({ Bucket: this.#bucket, Key, ...(Range && { Range }) });
      const answer = await client.send(command);
      if (!(answer.Body instanceof Readable)) throw new TypeError('S3 answered without a body.');
      return { stream: answer.Body, sizeBytes: wholeSize(answer) };
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return null;
      throw hasStatus(error, 416)
        ? new RangeError(`The file has no bytes ${Range}.`, { cause: error })
        : error;
    }
  }

  async read(key: string): Promise<Buffer | null> {
    const opened = await this.open(key);
    return opened === null ? null : Buffer.concat(await opened.stream.toArray());
  }

  async delete(keys: string[]): Promise<void> {
    const names = keys.map((key) => this.#nameOf(key));
    for (let start = 0; start < names.length; start += keysPerRequest) {
      const batch = names.slice(start, start + keysPerRequest);
      await removeNames(await this.#connect(), this.#bucket, batch);
    }
  }

  async deletePrefix(prefix: string, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const Prefix = `${this.#nameOf(prefix)}/`;
    const { sdk, client } = await this.#connect();
    const listing = { Bucket: this.#bucket, Prefix, MaxKeys: keysPerRequest };
    for await (const page of sdk.paginateListObjectsV2({ client }, listing)) {
      await meanwhile();
      const names = (page.Contents ?? []).flatMap((object) => object.Key ?? []);
      await removeNames({ sdk, client }, this.#bucket, names);
    }
  }

  async check(): Promise<void> {
    const { sdk, client } = await this.#connect();
    await client.send(new sdk.HeadBucketCommand({ Bucket: this.#bucket }));
  }

  async close(): Promise<void> {
    if (this.#connecting !== null) (await this.#connecting).client.destroy();
  }

  #nameOf(key: string): string {
    return [...this.#root, ...splitKey(key)].join('/');
  }

  #connect(): Promise<Connection> {
    this.#connecting ??= openConnection(this.#endpoint);
    return this.#connecting;
  }
}

/** The SDK takes 160 ms to load, so a server that keeps its files on disk does not load it. */
async function openConnection(endpoint: string | null): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const { config } = new sdk.S3Client({});
  const client = new sdk.S3Client({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      socketTimeout: 60_000,
    },
    ...(endpoint !== null && {
      endpoint,
      forcePathStyle: true,
      // Services other than AWS seldom have regions, and not all of them support the newer checksums.
      region: () => config.region().catch(() => 'us-east-1'),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  });
  return { sdk, client };
}

async function removeNames({ sdk, client }: Connection, Bucket: string, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true };
  const answer = await client.send(new sdk.DeleteObjectsCommand({ Bucket, Delete }));
  const [first] = answer.Errors ?? [];
  if (first !== undefined) throw new Error(`S3 did not delete ${first.Key}: ${first.Code} ${first.Message}`);
}

/**
 * Returns the size of the whole file. The response to a range has `Content-Range: bytes 0-9/100`, where only the last number is that size.
 */
function wholeSize(answer: S3.GetObjectCommandOutput): number {
  const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
  return total === undefined ? (answer.ContentLength ?? 0) : Number(total);
}

function hasStatus(error: unknown, status: number): boolean {
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const metadata = error.$metadata;
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? metadata.httpStatusCode === status
    : false;
}
