/*
 * A small S3 over real HTTP, in memory. It has as much of the protocol as the storage of files needs (PUT, GET with Range, HEAD, DELETE,
 * DeleteObjects, ListObjectsV2 with pages). It refuses unsigned requests and bodies that do not match their checksum.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running S3 with one bucket. */
export interface S3Server {
  url: string;
  bucket: string;
  objects: Map<string, Buffer>;
  /** Method and path of every request so far. */
  requests: string[];
  /** Responds to the next requests with this error before anything is done. */
  failNext(status: number, code: string, times?: number): void;
  close(): Promise<void>;
}

interface Failure {
  status: number;
  code: string;
}

/** Starts an S3 on a free port of this machine. */
export async function startS3Server(bucket = 'mail'): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const failures: Failure[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, { bucket, objects, failure: failures.shift() }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    objects,
    requests,
    failNext: (status, code, times = 1) => {
      for (let added = 0; added < times; added += 1) failures.push({ status, code });
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

interface Store {
  bucket: string;
  objects: Map<string, Buffer>;
  failure: Failure | undefined;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: Store,
): Promise<ServerResponse> {
  const body = Buffer.concat(await request.toArray());
  const url = new URL(request.url ?? '/', 'http://s3.invalid');
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  if (store.failure !== undefined) return sendError(response, store.failure.status, store.failure.code);
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=')) {
    return sendError(response, 403, 'AccessDenied');
  }
  if (bucket !== store.bucket) return sendError(response, 404, 'NoSuchBucket');
  const checksum = request.headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && checksum !== createHash('sha256').update(body).digest('base64')) {
    return sendError(response, 400, 'BadDigest');
  }
  const { objects } = store;
  switch (`${request.method} ${key === '' ? 'bucket' : 'object'}`) {
    case 'PUT object':
      objects.set(key, body);
      return send(response, 200);
    case 'GET object':
      return sendObject(response, objects.get(key), request.headers.range);
    case 'DELETE object':
      objects.delete(key);
      return send(response, 204);
    case 'HEAD bucket':
      return send(response, 200);
    case 'GET bucket':
      return sendListing(response, objects, url.searchParams);
    case 'POST bucket':
      for (const [, name] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(name ?? '');
      return send(response, 200, '<DeleteResult/>');
    default:
      return sendError(response, 501, 'NotImplemented');
  }
}

function sendObject(
  response: ServerResponse,
  object: Buffer | undefined,
  range: string | undefined,
): ServerResponse {
  if (object === undefined) return sendError(response, 404, 'NoSuchKey');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return send(response, 200, object);
  const start = Number(first);
  if (start >= object.length) return sendError(response, 416, 'InvalidRange');
  const end = Math.min(Number(last), object.length - 1);
  response.setHeader('content-range', `bytes ${start}-${end}/${object.length}`);
  return send(response, 206, object.subarray(start, end + 1));
}

function sendListing(
  response: ServerResponse,
  objects: Map<string, Buffer>,
  query: URLSearchParams,
): ServerResponse {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const most = Number(query.get('max-keys') ?? 1_000);
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
  const page = names.slice(0, most);
  const isTruncated = names.length > page.length;
  const contents = page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('');
  const token = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const xml = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents}</ListBucketResult>`;
  return send(response, 200, xml);
}

function sendError(response: ServerResponse, status: number, code: string): ServerResponse {
  return send(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function send(response: ServerResponse, status: number, body: string | Buffer = ''): ServerResponse {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) });
  return response.end(body);
}
