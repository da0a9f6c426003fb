import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { AddressOrDomain } from './fields/recipients.ts';
import { about, idField, NextCursor, pageQuery, pathId, timestamp } from './fields/scalars.ts';

const c = initContract();

const kind = z.enum(['allow', 'block']).meta(about('Whether matching mail is allowed or blocked.', 'block'));
const direction = z
  .enum(['inbound', 'outbound', 'both'])
  .meta(about('Inbound rules match the sender; outbound rules match the recipient.', 'inbound'));

/** An entry of the allow and block lists. */
export const Rule = z
  .object({
    id: idField('rule', 'The rule.'),
    kind,
    direction,
    pattern: z
      .string()
      .meta(
        about(
          'The address or domain in the form that is matched: in lowercase, with an ASCII domain.',
          'example.com',
        ),
      ),
    created_at: timestamp('When the rule was created.'),
  })
  .meta({ id: 'Rule', description: 'An entry of the allow and block lists.' });
export type Rule = z.infer<typeof Rule>;

/** Body of `rules.create`. */
export const CreateRule = z
  .strictObject({
    kind,
    direction,
    pattern: AddressOrDomain.meta(
      about(
        'A full address, or a bare domain, which also matches its subdomains.',
        'example.com',
        'spam@example.com',
      ),
    ),
  })
  .meta({ id: 'CreateRule' });
export type CreateRule = z.infer<typeof CreateRule>;

/** A page of rules. */
export const RulePage = z
  .object({ rules: z.array(Rule), next_cursor: NextCursor })
  .meta({ id: 'RulePage', description: 'Rules, newest first.' });
export type RulePage = z.infer<typeof RulePage>;

/** Query of `rules.list`. */
export const ListRules = z.strictObject(pageQuery);
export type ListRules = z.infer<typeof ListRules>;

/** Routes of rules, whose path is `/lists`. */
export const rules = c.router({
  create: {
    method: 'POST',
    path: '/lists',
    summary: 'Create an allow or block rule',
    description:
      'The rule applies at once. The most specific match decides: the full address first, then the longest domain. In a tie, the ' +
      'block rule wins. An allow rule never overrides a suppression. Creating the same rule again returns the existing rule with ' +
      '200.',
    body: CreateRule,
    responses: { 200: Rule, 201: Rule, ...answers('limit_reached') },
  },
  list: {
    method: 'GET',
    path: '/lists',
    summary: 'List rules',
    description: 'Lists the rules of the workspace, newest first.',
    query: ListRules,
    responses: { 200: RulePage, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/lists/:id',
    summary: 'Delete a rule',
    description: 'The rule stops applying at once.',
    pathParams: pathId('rule', 'The rule.'),
    responses: { 204: c.noBody(), ...answers() },
  },
});
