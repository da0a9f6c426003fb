import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { redeliver, testWebhook } from './deliver-manually.ts';
import { viewDelivery } from './delivery.view.ts';
import { getWebhook } from './find-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { rotateSecret } from './rotate-secret.ts';
import { updateWebhook } from './update-webhook.ts';
import { viewWebhook, viewWithSecret } from './webhook.view.ts';

/** Handlers of `/webhooks`. */
export const webhooksRoutes = defineRoutes(contract.webhooks, {
  create: async ({ body, res }) => ({
    status: 201,
    body: viewWithSecret(await createWebhook(contextOf(res), body)),
  }),
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listWebhooks(contextOf(res), query);
    return { status: 200, body: { webhooks: rows.map(viewWebhook), next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => ({
    status: 200,
    body: viewWebhook(await getWebhook(contextOf(res), params.id)),
  }),
  update: async ({ params, body, res }) => ({
    status: 200,
    body: viewWebhook(await updateWebhook(contextOf(res), params.id, body)),
  }),
  delete: async ({ params, res }) => {
    await deleteWebhook(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  test: async ({ params, res }) => ({
    status: 200,
    body: viewDelivery(await testWebhook(contextOf(res), params.id)),
  }),
  rotateSecret: async ({ params, res }) => ({
    status: 200,
    body: viewWithSecret(await rotateSecret(contextOf(res), params.id)),
  }),
  deliveries: async ({ params, query, res }) => {
    const { rows, nextCursor } = await listDeliveries(contextOf(res), params.id, query);
    return { status: 200, body: { deliveries: rows.map(viewDelivery), next_cursor: nextCursor } };
  },
});

/** Handlers of `/deliveries`. */
export const deliveriesRoutes = defineRoutes(contract.deliveries, {
  redeliver: async ({ params, res }) => ({
    status: 200,
    body: viewDelivery(await redeliver(contextOf(res), params.id)),
  }),
});
