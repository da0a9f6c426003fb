import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import { FilesFull } from './file-errors.ts';
import { checkRange, splitKey } from './file-key.ts';
import type { ByteRange, Files, OpenedFile } from './files.ts';
import { readSource } from './read-source.ts';

/** Which bucket holds the files, under which prefix, and at which service (null: AWS). */
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
 * Files in a bucket of S3 or of a compatible service, with the region and credentials that the AWS SDK finds by itself.
 * A file is held in memory while it is stored, as S3 wants its length first.
 */
export function createS3Files(settings: S3Settings): Files {
  const Bucket = settings.bucket;
  const root = settings.prefix.replace(/^\/+|\/+$/g, '');
  const nameOf = (key: string) => [...(root === '' ? [] : [root]), ...splitKey(key)].join('/');
  let connecting: Promise<Connection> | null = null;
  const connect = () => {
    connecting ??= openConnection(settings.endpoint);
    return connecting;
  };

  async function open(key: string, range?: ByteRange): Promise<OpenedFile | null> {
    const Key = nameOf(key);
    if (range !== undefined) checkRange(range);
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const { sdk, client } = await connect();
    try {
      const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }));
      if (!(answer.Body instanceof Readable)) throw new TypeError('S3 answered without a body.');
      return { stream: answer.Body, sizeBytes: wholeSize(answer) };
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return null;
      throw hasStatus(error, 416)
        ? new RangeError(`The file has no bytes ${Range}.`, { cause: error })
        : error;
    }
  }

  return {
    async put(key, source, { bytesMax } = {}) {
      const Key = nameOf(key);
      const chunks: Uint8Array[] = [];
      const stored = await readSource(source, bytesMax, async (chunk) => {
        chunks.push(chunk);
      });
      const Body = Buffer.concat(chunks, stored.sizeBytes);
      const ChecksumSHA256 = stored.sha256.toString('base64');
      try {
        const { sdk, client } = await connect();
        await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ChecksumSHA256 }));
      } catch (error) {
        throw hasStatus(error, 507) ? new FilesFull(error) : error;
      }
      return stored;
    },
    open,
    async read(key) {
      const opened = await open(key);
      return opened === null ? null : Buffer.concat(await opened.stream.toArray());
    },
    async delete(keys) {
      const names = keys.map(nameOf);
      for (let start = 0; start < names.length; start += keysPerRequest) {
        await removeNames(await connect(), Bucket, names.slice(start, start + keysPerRequest));
      }
    },
    async deletePrefix(prefix) {
      const Prefix = `${nameOf(prefix)}/`;
      const { sdk, client } = await connect();
      const listing = { Bucket, Prefix, MaxKeys: keysPerRequest };
      for await (const page of sdk.paginateListObjectsV2({ client }, listing)) {
        const names = (page.Contents ?? []).flatMap((object) => object.Key ?? []);
        await removeNames({ sdk, client }, Bucket, names);
      }
    },
    async check() {
      const { sdk, client } = await connect();
      await client.send(new sdk.HeadBucketCommand({ Bucket }));
    },
    async close() {
      if (connecting !== null) (await connecting).client.destroy();
    },
  };
}

/** The SDK takes 160 ms to load, which a server that keeps its files on disk should not pay. */
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
      // Services other than AWS seldom have regions, and not all of them know the newer checksums.
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

/** A part is answered with `Content-Range: bytes 0-9/100`, where only the last number is the size of the file. */
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
