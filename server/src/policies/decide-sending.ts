/* Decides by what people have set whether a message is sent, held or refused. */
import type { Disclosure, PauseLevel, PolicyIn, PolicyLevel, SendMode } from '@postrider/contract';
import { ApiError, notFound } from '../lib/api-error.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import { strictestOf } from './effective-policy.ts';

/** A policy that holds for a send, with how many mails count for its caps. */
export interface PolicyInForce {
  level: PolicyLevel;
  subject: string;
  lines: PolicyIn;
  /** Null without such a cap, and far below it. */
  hour: number | null;
  day: number | null;
  /** The thread that the message joins, if it is there already. */
  thread_id: string | null;
  thread: number | null;
  recipients: Record<string, number> | null;
}

/** Everything that people have set for a send. */
export interface Controls {
  version: string;
  paused: PauseLevel | null;
  /** The key that sends; null for a person and for the server. */
  key: { revoked: boolean; read_only: boolean; out_of_scope: boolean } | null;
  policies: PolicyInForce[];
  /** The recipients that wrote to the inbox before; null if no policy asks for them. */
  known: string[] | null;
  disclosure: Disclosure;
}

/**
 * Checks that people let the sender send at all.
 *
 * @throws ApiError `invalid_token` if the key was revoked meanwhile, `not_found` if the inbox went out of its scope, `sending_paused`, `sending_not_allowed`.
 */
export function requireSendingAllowed({ paused, key, policies }: Controls): void {
  if (key?.revoked) throw new ApiError('invalid_token');
  if (key?.out_of_scope) throw notFound('inbox_id');
  if (paused !== null) throw new ApiError('sending_paused', { at: paused });
  if (key?.read_only) throw new ApiError('sending_not_allowed', { at: 'key' });
  const { policy, from } = strictestOf(policies);
  if (policy.send === 'never' && from.send !== 'default')
    throw new ApiError('sending_not_allowed', { at: from.send });
}

/** Returns what becomes of a message that is sent now. */
export function sendModeOf({ key, policies }: Controls): SendMode {
  return key?.read_only ? 'never' : strictestOf(policies).policy.send;
}

/** Returns whether every policy lets mail go to an address. */
export function isAllowedRecipient(
  controls: Controls,
  rules: readonly MatchingRule[],
  address: string,
): boolean {
  return controls.policies.every(({ lines: { recipients = 'anyone' } }) => {
    if (recipients === 'anyone') return true;
    if (recipients === 'known')
      return (controls.known ?? []).includes(address) || decideRule(rules, address)?.kind === 'allow';
    return patternsFor(address).some((pattern) => recipients.includes(pattern));
  });
}
