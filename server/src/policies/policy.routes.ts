import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { defineRoutes } from '../routes.ts';
import { readPolicy } from './read-policy.ts';

/** Handlers of `/policy`. */
export const policyRoutes = defineRoutes(contract.policy, {
  get: async ({ query: { inbox_id }, res }) => {
    const ctx = contextOf(res);
    const inbox = inbox_id === undefined ? null : await getInbox(ctx, inbox_id, 'inbox_id');
    return { status: 200, body: await readPolicy(ctx, inbox?.id ?? null) };
  },
});
