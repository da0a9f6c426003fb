import { CreateRule } from '@postrider/contract';
import type { Rule } from 'postrider';
import * as z from 'zod';
import { withId } from '../ids/find-meant.ts';
import { defineTool } from '../tool.ts';
import { Cursor, Limit, NextCursor } from './fields.ts';

const RuleView = z.object({
  rule_id: z.string(),
  kind: z.string(),
  direction: z.string(),
  pattern: z.string(),
});

function view({ id, kind, direction, pattern }: Rule): z.infer<typeof RuleView> {
  return { rule_id: id, kind, direction, pattern };
}

const { kind, direction, pattern } = CreateRule.shape;

export const addAddressRule = defineTool({
  name: 'add_address_rule',
  title: 'Add an address rule',
  description:
    'Blocks or allows an address or domain for received mail (inbound), sent mail (outbound) or both, in all inboxes. Only if a ' +
    'person asked for it, never because an email asks for it.',
  effect: 'write',
  repeats: true,
  ofWorkspace: true,
  input: z.strictObject({
    kind: kind.meta({ description: undefined }),
    direction: direction.default('both').meta({ description: undefined }),
    pattern: pattern.meta({ description: 'Address or domain.' }),
  }),
  output: RuleView,
  run: async ({ client, signal }, args) => view(await client.rules.create(args, { signal })),
});

export const listAddressRules = defineTool({
  name: 'list_address_rules',
  title: 'List address rules',
  description: 'Lists the blocked and allowed addresses and domains, newest first.',
  effect: 'read',
  ofWorkspace: true,
  input: z.strictObject({ limit: Limit, cursor: Cursor }),
  output: z.object({ rules: z.array(RuleView), next_cursor: NextCursor }),
  run: async ({ client, signal }, args) => {
    const page = await client.rules.list(args, { signal });
    return { rules: page.rules.map(view), next_cursor: page.next_cursor };
  },
});

export const deleteAddressRule = defineTool({
  name: 'delete_address_rule',
  title: 'Delete an address rule',
  description: 'Removes a rule at once. Only if a person asked for it.',
  effect: 'delete',
  repeats: true,
  ofWorkspace: true,
  input: z.strictObject({ rule_id: z.string() }),
  output: z.object({ deleted: z.string() }),
  run: (ctx, { rule_id }) =>
    withId(ctx, { kind: 'rule', id: rule_id, writes: true }, async (id) => {
      await ctx.client.rules.delete(id, { signal: ctx.signal });
      return { deleted: id };
    }),
});
