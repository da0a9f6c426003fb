import { WebhookVerificationError } from '../errors.ts';
import {
  answerDelivery,
  BodyCollector,
  checkWebhookOptions,
  type WebhookAnswer,
  type WebhookHandler,
  type WebhookOptions,
} from './answer-delivery.ts';
import { parsedBody, type RawBody } from './unwrap.ts';

/**
 * Returns a function from `Request` to `Response` that calls `handler` with each verified event, as the
 * `fetch` of a Worker, Deno or Bun. Arguments after the request, such as a Worker's `env`, are passed on to
 * the handler and to the function that returns the secret.
 *
 * @example
 * import { fetchWebhook } from 'postrider/webhooks';
 *
 * export default {
 *   fetch: fetchWebhook((event, env: { SECRET: string }) => console.log(event.event), { secret: (env) => env.SECRET }),
 * };
 */
export function fetchWebhook<Context extends unknown[]>(
  handler: WebhookHandler<Context>,
  options: WebhookOptions<Context> = {},
): (request: Request, ...context: Context) => Promise<Response> {
  checkWebhookOptions('fetchWebhook', options);
  return async (request, ...context) => toResponse(await answerRequest(request, context, handler, options));
}

/** Like `fetchWebhook`, for a route of the Next.js app router: `export const POST = nextWebhook(…)`. */
export const nextWebhook = fetchWebhook;

/** The part of Hono's context that is used here. */
export interface HonoContextLike {
  req: { raw: Request };
}

/**
 * Returns a Hono handler that calls `handler` with each verified event: `app.post('/hooks', honoWebhook(…))`.
 *
 * @example
 * import { honoWebhook } from 'postrider/webhooks';
 *
 * const handler = honoWebhook(async (event) => console.log(event.message?.subject));
 */
export function honoWebhook<Context extends HonoContextLike>(
  handler: WebhookHandler<[context: Context]>,
  options: WebhookOptions<[context: Context]> = {},
): (context: Context) => Promise<Response> {
  checkWebhookOptions('honoWebhook', options);
  return async (context) => toResponse(await answerRequest(context.req.raw, [context], handler, options));
}

function answerRequest<Context extends unknown[]>(
  request: Request,
  context: Context,
  handler: WebhookHandler<Context>,
  options: WebhookOptions<Context>,
): Promise<WebhookAnswer> {
  return answerDelivery(
    (maxBytes) => readBody(request, maxBytes),
    request.headers,
    context,
    handler,
    options,
  );
}

async function readBody(request: Request, maxBytes: number): Promise<RawBody> {
  if (request.bodyUsed) throw parsedBody('already read');
  const body = new BodyCollector(maxBytes, request.headers.get('content-length'));
  const reader = request.body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read().catch(() => {
        throw new WebhookVerificationError('body_incomplete');
      });
      if (part?.value === undefined) return body.whole();
      body.add(part.value);
    }
  } finally {
    // The rest of a body that is too large is not read.
    reader?.cancel().catch(() => {});
  }
}

function toResponse({ status, body }: WebhookAnswer): Response {
  return new Response(body, { status, headers: body === null ? {} : { 'content-type': 'application/json' } });
}
