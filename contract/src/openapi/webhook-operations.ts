import { brand } from '../brand.ts';
import { Event } from '../events.ts';
import { exampleIds } from '../fields/scalars.ts';
import { jsonContent, type Part, type Workshop } from './responses.ts';

/** The headers of every delivery. */
export const webhookHeaders = [
  {
    name: brand.headers.event,
    description: 'The kind of the event.',
    example: 'message.received',
  },
  {
    name: brand.headers.signature,
    description:
      '`sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret as UTF-8. Compare in constant time.',
    example: 'sha256=5f7c1d0e9b3a4c2d8e6f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d',
  },
  {
    name: 'webhook-id',
    description:
      'The id of the event (Standard Webhooks). It is the same for all attempts, so handle each id only once.',
    example: exampleIds.event,
  },
  {
    name: 'webhook-timestamp',
    description:
      'When this attempt was signed, in seconds since 1970 (Standard Webhooks). Refuse old timestamps.',
    example: '1795167000',
  },
  {
    name: 'webhook-signature',
    description:
      'The Standard Webhooks signature of id, timestamp and body. For 24 hours after a rotation, it has one signature for each secret.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** Returns the requests that are posted to webhooks, one operation for each kind of event. */
export function webhookOperations(shop: Workshop): Part {
  const all = Event.options.map((event) => {
    const [kind] = [...event.shape.event.values];
    const schema = shop.schemas.convert(event, 'output');
    const operation = {
      operationId: `on.${kind}`,
      tags: ['Webhooks'],
      summary: kind,
      description: shop.schemas.resolve(schema).description,
      security: [],
      parameters: webhookHeaders.map((header) => ({
        ...header,
        in: 'header',
        required: true,
        schema: { type: 'string' },
        example: header.name === brand.headers.event ? kind : header.example,
      })),
      requestBody: { required: true, content: jsonContent(shop, schema) },
      responses: {
        '2XX': { description: 'The event was received. Respond within 10 seconds.' },
        '4XX': {
          description: 'After any other response, including a redirect, the delivery is retried later.',
        },
      },
    };
    return [kind, { post: operation }];
  });
  return Object.fromEntries(all);
}
