import {
  answerDelivery,
  checkWebhookOptions,
  maxBodyBytesDefault,
  type WebhookHandler,
  type WebhookOptions,
} from './answer-delivery.ts';
import type { RawBody } from './unwrap.ts';

/** The part of a Fastify request that is used here. */
export interface FastifyRequestLike {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

/** The part of a Fastify reply that is used here. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  type(contentType: string): unknown;
  send(body?: unknown): unknown;
}

/** The part of a Fastify instance that is used here. */
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

/** The options of `fastifyWebhook`: those of all adapters, and the path. */
export interface FastifyWebhookOptions extends WebhookOptions<[request: FastifyRequestLike]> {
  /** The path of the webhook, below the prefix of the plugin. Default: `/`. */
  path?: string | undefined;
}

/**
 * Returns a Fastify plugin that calls `handler` with each verified event, for
 * `app.register(fastifyWebhook(…), { prefix: '/hooks' })`. Inside the plugin, bodies are raw bytes; the
 * parsers of the rest of the application do not change.
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
