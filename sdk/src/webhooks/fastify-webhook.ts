import {
  answerDelivery,
  checkWebhookOptions,
  maxBodyBytesDefault,
  type WebhookHandler,
  type WebhookOptions,
} from './answer-delivery.ts';
import type { RawBody } from './unwrap.ts';

/** A request of Fastify, as far as it is needed here. */
export interface FastifyRequestLike {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

/** A reply of Fastify, as far as it is needed here. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  type(contentType: string): unknown;
  send(body?: unknown): unknown;
}

/** An instance of Fastify, as far as it is needed here. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer' },
    parser: (
      request: FastifyRequestLike,
      body: Uint8Array,
      done: (error: null, body: Uint8Array) => void,
    ) => void,
  ): unknown;
  post(
    path: string,
    options: { bodyLimit: number },
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/** What `fastifyWebhook` takes beside the options of all adapters. */
export interface FastifyWebhookOptions extends WebhookOptions<[request: FastifyRequestLike]> {
  /** Where deliveries are posted, below the prefix of the plugin. Default: `/`. */
  path?: string | undefined;
}

/**
 * Makes a plugin for Fastify of an event handler: `app.register(fastifyWebhook(…), { prefix: '/hooks' })`. Within the plugin
 * bodies stay the bytes as they came; the parsers of the rest of the application stay as they are.
 *
 * @example
 * import { fastifyWebhook } from 'postrider/webhooks';
 *
 * const plugin = fastifyWebhook(async (event) => console.log(event.message?.subject));
 */
export function fastifyWebhook(
  handler: WebhookHandler<[request: FastifyRequestLike]>,
  { path = '/', ...options }: FastifyWebhookOptions = {},
): (instance: FastifyLike) => Promise<void> {
  checkWebhookOptions('fastifyWebhook', options);
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const bodyLimit = options.maxBodyBytes ?? maxBodyBytesDefault;
    instance.post(path, { bodyLimit }, async (request, reply) => {
      const read = () => (request.body ?? '') as RawBody;
      const { status, body } = await answerDelivery(read, request.headers, [request], handler, options);
      reply.code(status);
      if (body !== null) reply.type('application/json');
      return reply.send(body ?? undefined);
    });
  };
}
