import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';

/** Returns the bare address of a recipient such as `Ada <ada@example.com>`, in lower case. */
export function bareAddress(recipient: string): string {
  return (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase();
}

/**
 * Checks recipients against those that the person who runs the server allows.
 *
 * @throws ToolError `recipient_not_allowed` that names those that are not.
 */
export function checkRecipients({ settings, fence }: CallContext, recipients: string[]): void {
  const { recipients: allowed } = settings;
  if (allowed === null) return;
  const refused = recipients
    .map(bareAddress)
    .filter((address) => !allowed.some((one) => matches(one, address)));
  if (refused.length === 0) return;
  throw new ToolError(
    'recipient_not_allowed',
    `This server may only send to ${allowed.join(', ')}.`,
    'Leave out the others, or ask the person who runs this server. Nothing was sent.',
    { not_allowed: fence.line(refused.slice(0, 10).join(', ')) },
  );
}

/** A domain stands for all its addresses, but not for those of its subdomains. */
function matches(allowed: string, address: string): boolean {
  return allowed.includes('@')
    ? address === allowed
    : address.slice(address.lastIndexOf('@') + 1) === allowed;
}
