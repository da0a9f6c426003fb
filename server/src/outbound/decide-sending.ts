/* Decides by what people have set whether a message is sent, held or refused. */
import type { SendMode } from '@postrider/contract';
import { ApiError, notFound } from '../lib/api-error.ts';
import type { Controls } from '../policies/controls.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';

/**
 * Checks that people let the sender send at all. What was scheduled goes out at its time also after the key expired, or was revoked by
 * people who kept what it had set up; without that, a revoked key has scheduled nothing any more.
 *
 * @throws ApiError `invalid_token` if the key was revoked or has expired meanwhile, `not_found` if the inbox went out of its scope,
 * `sending_paused`, `sending_not_allowed`.
 */
export function requireSendingAllowed(
  { paused, key, strictest }: Controls,
  { at, atItsTime }: { at: Date; atItsTime: boolean },
): void {
  const isOver = key?.revoked || (key?.expires_at != null && new Date(key.expires_at) <= at);
  if (isOver && !atItsTime) throw new ApiError('invalid_token');
  if (key?.out_of_scope) throw notFound('inbox_id');
  if (paused !== null) throw new ApiError('sending_paused', { at: paused });
  if (key?.read_only) throw new ApiError('sending_not_allowed', { at: 'key' });
  const { policy, from } = strictest;
  if (policy.send === 'never' && from.send !== 'default')
    throw new ApiError('sending_not_allowed', { at: from.send });
}

/** Returns what becomes of a message that is sent now. */
export function sendModeOf({ key, strictest }: Controls): SendMode {
  return key?.read_only ? 'never' : strictest.policy.send;
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
