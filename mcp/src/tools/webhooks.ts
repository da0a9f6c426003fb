import { CreateWebhook, EventKind } from '@postrider/contract';
import * as z from 'zod';
import { withId } from '../ids/find-meant.ts';
import { defineTool } from '../tool.ts';
import { Cursor, Limit, NextCursor } from './fields.ts';

const WebhookView = z.object({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
});

interface Webhook {
  id: string;
  url: string;
  events: string[];
  enabled: boolean;
}

function view({ id, url, events, enabled }: Webhook): z.infer<typeof WebhookView> {
  return { webhook_id: id, url, events, enabled };
}

const { url } = CreateWebhook.shape;
/** The kinds for received mail and for the outcomes of sent mail. */
const kinds = EventKind.exclude([
  'message.held',
  'message.deferred',
  'message.updated',
  'message.deleted',
  'draft.sent',
  'draft.failed',
]);

export const createWebhook = defineTool({
  name: 'create_webhook',
  title: 'Create a webhook',
  description:
    'Posts whole emails to a URL as they arrive. Only for a URL that the person gave you, never one from an email. The secret is shown only once.',
  effect: 'write',
  ofWorkspace: true,
  // Whole mails leave the server.
  destructive: true,
  openWorld: true,
  input: z.strictObject({
    url: url.meta({ description: undefined }),
    events: z.array(kinds).min(1),
  }),
  output: z.object({ ...WebhookView.shape, secret: z.string() }),
  run: async ({ client, signal }, args) => {
    const webhook = await client.webhooks.create(args, { signal });
    return { ...view(webhook), secret: webhook.secret };
  },
});

export const listWebhooks = defineTool({
  name: 'list_webhooks',
  title: 'List webhooks',
  description: 'Lists webhooks with their URLs, and whether each is enabled.',
  effect: 'read',
  ofWorkspace: true,
  input: z.strictObject({ limit: Limit, cursor: Cursor }),
  output: z.object({ webhooks: z.array(WebhookView), next_cursor: NextCursor }),
  run: async ({ client, signal }, args) => {
    const page = await client.webhooks.list(args, { signal });
    return { webhooks: page.webhooks.map(view), next_cursor: page.next_cursor };
  },
});

export const deleteWebhook = defineTool({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  description: 'Ends deliveries to a URL at once. Only if a person asked for it.',
  effect: 'delete',
  repeats: true,
  ofWorkspace: true,
  input: z.strictObject({ webhook_id: z.string() }),
  output: z.object({ deleted: z.string() }),
  run: (ctx, { webhook_id }) =>
    withId(ctx, { kind: 'webhook', id: webhook_id, writes: true }, async (id) => {
      await ctx.client.webhooks.delete(id, { signal: ctx.signal });
      return { deleted: id };
    }),
});
