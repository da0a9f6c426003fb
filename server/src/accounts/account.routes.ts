import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { viewAccount } from './account.view.ts';
import { readAccount } from './read-account.ts';

/** Handlers of `/account`. */
export const accountRoutes = defineRoutes(contract.account, {
  get: async ({ res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewAccount(ctx, await readAccount(ctx)) };
  },
});
