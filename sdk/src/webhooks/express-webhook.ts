import { WebhookVerificationError } from '../errors.ts';
import {
  answerDelivery,
  BodyCollector,
  checkWebhookOptions,
  type WebhookHandler,
  type WebhookOptions,
} from './answer-delivery.ts';
import { parsedBody, type RawBody } from './unwrap.ts';

/** The part of a request of Express or `node:http` that is used here. */
export interface NodeRequestLike {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  body?: unknown;
  rawBody?: unknown;
  readableDidRead?: boolean;
  readableEnded?: boolean;
}

/** The part of a response of Express or `node:http` that is used here. */
export interface NodeResponseLike {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

/**
 * Returns a handler for Express or `node:http` that calls `handler` with each verified event. It reads the
 * raw body itself, so the only parsers that may run before it are `express.raw()` and `express.text()`.
 *
 * @example
 * import { createServer } from 'node:http';
 * import { expressWebhook } from 'postrider/webhooks';
 *
 * createServer(expressWebhook(async (event) => console.log(event.message?.subject), { ack: 'early' })).listen(3000);
 */
export function expressWebhook<Request extends NodeRequestLike>(
  handler: WebhookHandler<[request: Request]>,
  options: WebhookOptions<[request: Request]> = {},
): (request: Request, response: NodeResponseLike) => Promise<void> {
  checkWebhookOptions('expressWebhook', options);
  return async (request, response) => {
    const read = (maxBytes: number) => readBody(request, maxBytes);
    const { status, body } = await answerDelivery(read, request.headers, [request], handler, options);
    response.statusCode = status;
    if (body === null) response.end();
    else {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    }
  };
}

function readBody(request: NodeRequestLike, maxBytes: number): Promise<RawBody> | RawBody {
  for (const kept of [request.rawBody, request.body]) {
    if (typeof kept === 'string' || ArrayBuffer.isView(kept)) return kept as RawBody;
  }
  if (request.readableDidRead || request.readableEnded) {
    throw parsedBody(typeof request.body === 'object' ? 'a parsed object' : 'already read');
  }
  return collectBody(request, maxBytes);
}

function collectBody(request: NodeRequestLike, maxBytes: number): Promise<RawBody> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector(maxBytes, request.headers['content-length']);
    request.on('data', (chunk) => {
      try {
        body.add(chunk);
      } catch (error) {
        reject(error);
      }
    });
    request.on('end', () => resolve(body.whole()));
    const fail = () => reject(new WebhookVerificationError('body_incomplete'));
    request.on('error', fail);
    // A connection that breaks may emit only `close`.
    request.on('close', fail);
  });
}
