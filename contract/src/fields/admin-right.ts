import * as z from 'zod';
import { about } from './scalars.ts';

/** Something that an admin token may do in the management API. */
export const AdminRight = z
  .enum(['keys', 'policies', 'pauses', 'approvals', 'people', 'webhooks', 'domains', 'usage', 'workspaces'])
  .meta({ id: 'AdminRight', ...about('A right of an admin token.', 'keys') });
export type AdminRight = z.infer<typeof AdminRight>;
