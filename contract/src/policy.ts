import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { Access } from './access.ts';
import { answers } from './answers.ts';
import { AddressOrDomain } from './fields/recipients.ts';
import { about, idIn, timestamp } from './fields/scalars.ts';
import { limits } from './limits.ts';

const c = initContract();

/** The treatment of a message that a key sends, from the loosest to the strictest. */
export const sendModes = ['allow', 'approve', 'never'] as const;

/** The treatment of a message that a key sends. */
export const SendMode = z.enum(sendModes).meta({
  id: 'SendMode',
  ...about(
    '`allow`: mail is sent. `approve`: mail is held until people approve it. `never`: mail is refused.',
    'approve',
  ),
});
export type SendMode = z.infer<typeof SendMode>;

function cap(what: string, example: number | null) {
  return z
    .int({ error: 'must be a whole number or null' })
    .min(0)
    .max(limits.policyCapMax)
    .nullable()
    .meta(about(`${what}; null for no limit.`, example));
}

const patterns = z.array(AddressOrDomain).max(limits.policyPatternsMax, {
  error: `must be at most ${limits.policyPatternsMax} addresses or domains`,
});

/** The settings of a policy. A message to 3 recipients counts as 3 emails. */
const lines = {
  send: SendMode,
  recipients: z
    .union([z.enum(['anyone', 'known']), patterns])
    .meta(
      about(
        'The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail came from this server, ' +
          'and addresses that an outbound allow rule names, even if the rule is older than the policy. Or a list of addresses and ' +
          'domains; a domain includes its subdomains.',
        'known',
      ),
    ),
  per_hour: cap('The maximum number of emails per hour, counted once for each recipient', 20),
  per_day: cap('The maximum number of emails in 24 hours, counted once for each recipient', 100),
  per_thread_hour: cap(
    'The maximum number of emails per hour in one thread, counted once for each recipient',
    10,
  ),
  per_recipient_day: cap(
    'The maximum number of emails to one recipient in 24 hours, whatever their outcome',
    5,
  ),
  recipients_max: cap('The maximum number of recipients of one message', 5),
};

/** The rules that people set for what a workspace, an inbox or a key can send. */
export const Policy = z.strictObject(lines).meta({ id: 'Policy', description: 'A sending policy.' });
export type Policy = z.infer<typeof Policy>;

/** The name of a setting of a policy. */
export type PolicyLine = keyof Policy;

/** The settings that people choose for one key, inbox or workspace. Settings that are left out impose no limit. */
export const PolicyIn = z.strictObject(lines).partial();
export type PolicyIn = z.infer<typeof PolicyIn>;

/** The policy that applies where nobody has set one. */
export const defaultPolicy: Policy = {
  send: 'allow',
  recipients: 'anyone',
  per_hour: null,
  per_day: null,
  per_thread_hour: null,
  per_recipient_day: null,
  recipients_max: null,
};

/** Ends the message of `rate_limited` where waiting does not help, because one message has too many recipients. */
export const fewerRecipients = 'Send it to fewer recipients.';

/**
 * The policy that `init --careful` sets. A malfunctioning agent can send at most 20 emails in its first hour, and only to people who wrote
 * to it. A working one can reply to 20 emails an hour and 100 a day, and have ten exchanges with one person in a day.
 */
export const carefulPolicy: Policy = {
  send: 'allow',
  recipients: 'known',
  per_hour: 20,
  per_day: 100,
  per_thread_hour: 10,
  per_recipient_day: 10,
  recipients_max: 5,
};

/** Where a policy is set. */
export const PolicyLevel = z.enum(['key', 'inbox', 'workspace']);
export type PolicyLevel = z.infer<typeof PolicyLevel>;

const source = z
  .enum(['key', 'inbox', 'workspace', 'default'])
  .meta(about('Where the setting comes from; `default` if nobody has set it.', 'workspace'));

/** The response of `policy.get`: the strictest value of each setting, and where it is set. */
export const EffectivePolicy = z
  .object({
    ...lines,
    recipients: z
      .union([z.enum(['anyone', 'known']), z.array(z.string())])
      .meta(
        about(
          'The strictest setting; a list is stricter than `known`. A recipient must be allowed by the key, the inbox and the workspace: ' +
            '`places` has the setting of each.',
          'known',
        ),
      ),
    from: z
      .object(
        Object.fromEntries(Object.keys(lines).map((line) => [line, source])) as Record<
          PolicyLine,
          typeof source
        >,
      )
      .meta({ description: 'Where each setting comes from.' }),
    places: z
      .object({
        key: z.record(z.string(), z.unknown()),
        inbox: z.record(z.string(), z.unknown()),
        workspace: z.record(z.string(), z.unknown()),
      })
      .meta({ description: 'The settings of the key, the inbox and the workspace.' }),
    paused: z
      .enum(['key', 'inbox', 'workspace', 'server'])
      .nullable()
      .meta(about('What is paused; null if nothing is.', null)),
    read_only: z.boolean().meta(about('Whether the key can only read.', false)),
    access: Access.meta({ description: 'What the key can change.' }),
    inbox_ids: z
      .array(z.string())
      .nullable()
      .meta(
        about(
          'The inboxes that the key can use; other inboxes do not exist for it. Null for all inboxes.',
          null,
        ),
      ),
    expires_at: timestamp('When the key expires; null if it never expires.').nullable(),
  })
  .meta({ id: 'EffectivePolicy', description: 'The sending policy that applies to this key.' });
export type EffectivePolicy = z.infer<typeof EffectivePolicy>;

/** Query of `policy.get`. */
export const GetPolicy = z.strictObject({
  inbox_id: idIn(
    'inbox',
    'The inbox that would send. Without it, the policies of inboxes are left out.',
  ).optional(),
});
export type GetPolicy = z.infer<typeof GetPolicy>;

/** Routes of the policy. Keys can read it; only people can change it. */
export const policy = c.router({
  get: {
    method: 'GET',
    path: '/policy',
    summary: 'Get the sending policy of this key',
    description:
      'For each setting, the strictest of the policies of the key, the inbox and the workspace applies. A cap counts the mail of the ' +
      'key, inbox or workspace that it is set on. Keys cannot change a policy.',
    query: GetPolicy,
    responses: { 200: EffectivePolicy, ...answers() },
  },
});

/** Where sending is paused. */
export const PauseLevel = z.enum(['key', 'inbox', 'workspace', 'server']);
export type PauseLevel = z.infer<typeof PauseLevel>;

/**
 * How a workspace tells recipients that an AI wrote a message: not at all, by the header `X-AI-Generated: true`, or by a line below its
 * text.
 */
export const Disclosure = z.enum(['none', 'header', 'footer']);
export type Disclosure = z.infer<typeof Disclosure>;
