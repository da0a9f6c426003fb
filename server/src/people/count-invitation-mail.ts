import type { Deps } from '../deps.ts';
import { perServer } from '../lib/per-server.ts';
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts';

/** How many mails with invitations go to one address, whoever invites it, and how many one workspace sends. */
const rates: { address: Rate; workspace: Rate } = {
  address: { perMinute: 3 / 60, burst: 3 },
  workspace: { perMinute: 50 / 60, burst: 50 },
};

const bucketsOf = perServer(() => createTokenBuckets(() => performance.now()));

/**
 * Counts a mail with an invitation. Returns false for one too many, which is then not sent, so that nobody can fill the mailbox of
 * another.
 */
export function countInvitationMail(
  deps: Pick<Deps, 'memory'>,
  { workspaceId, email }: { workspaceId: string; email: string },
): boolean {
  const buckets = bucketsOf(deps);
  const counted: [string, Rate][] = [
    [`address ${email}`, rates.address],
    [`workspace ${workspaceId}`, rates.workspace],
  ];
  if (counted.some(([key, rate]) => buckets.look(key, rate).waitMs > 0)) return false;
  for (const [key, rate] of counted) buckets.spend(key, rate, 1);
  return true;
}
