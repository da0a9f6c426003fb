import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { about, idField, timestamp } from './fields/scalars.ts';
import { Plan, PlanLimits } from './limits.ts';

const c = initContract();

/** The workspace that a key belongs to. */
export const Workspace = z
  .object({
    id: idField('workspace', 'The workspace.'),
    name: z.string().meta(about('The name on this server, which the operator chose.', 'acme')),
    title: z.string().meta(about('The title that the owners chose; by default, the name.', 'Acme')),
    test: z
      .boolean()
      .meta(about('Whether it is a test workspace, whose mail never leaves the server.', false)),
    created_at: timestamp('When the workspace was created.'),
  })
  .meta({ id: 'Workspace', description: 'The owner of inboxes, mail and keys.' });
export type Workspace = z.infer<typeof Workspace>;

/** The usage of a workspace. */
export const Usage = z
  .object({
    inboxes: z.int().min(0).meta(about('The number of inboxes.', 12)),
    emails_this_month: z
      .int()
      .min(0)
      .meta(about('The number of messages sent in this UTC calendar month.', 1_204)),
    storage_bytes: z.int().min(0).meta(about('The size of stored attachments in bytes.', 73_400_320)),
    mail_bytes: z
      .int()
      .min(0)
      .meta(about('The size of stored mail in bytes: originals and bodies.', 209_715_200)),
    month_ends_at: timestamp('When the month ends and the count of messages restarts.'),
  })
  .meta({ id: 'Usage', description: 'The usage of the workspace.' });
export type Usage = z.infer<typeof Usage>;

/** The response of `account.get`. */
export const Account = z
  .object({ workspace: Workspace, plan: Plan, limits: PlanLimits, usage: Usage })
  .meta({ id: 'Account', description: 'The workspace of the key, its plan and its usage.' });
export type Account = z.infer<typeof Account>;

/** Routes of the account. */
export const account = c.router({
  get: {
    method: 'GET',
    path: '/account',
    summary: 'Get workspace, plan, limits and usage',
    description: 'Returns the workspace that the key belongs to, its plan, limits and usage.',
    responses: { 200: Account, ...answers() },
  },
});
