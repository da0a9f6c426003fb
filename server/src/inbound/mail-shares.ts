/*
 * Counts how much mail each sender recently put into an inbox, so that one sender cannot use up the storage of a workspace. Each process
 * counts the mail that it accepts, in bounded memory; the plan's `mail_bytes` applies across all processes.
 *
 * A client on the internet counts as one sender, whatever addresses it names, because it could name somebody else's and fill their share. A
 * client on this machine or in a private network is a relay for many senders, so there the sender is the domain of the address, or the
 * relay itself for the null sender. Mail that this server sent to itself comes from an inbox.
 */
import { limits, type Plan } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { findMailDomain } from '../domains/mail-domain.ts';
import { domainOf, normalizeAddress, stripPlusTag } from '../lib/email-address.ts';
import { clientOf, isPublicAddress } from '../lib/ip-address.ts';
import { createRecentMap, perServer, type RecentMap, remember } from '../lib/memory.ts';
import { planLimits } from '../workspaces/usage.ts';
import { mailShareLimits } from './limits.ts';

/** The sender of a mail. `remoteAddress` is null for mail that never left this server. */
export interface MailSender {
  envelopeFrom: string;
  remoteAddress: string | null;
}

interface Share {
  bytes: number;
  since: Date;
}

type ShareDeps = Pick<Deps, 'memory' | 'config' | 'clock' | 'timeScale'>;

const findShares = perServer(() => createRecentMap<Share>(mailShareLimits.sendersMax));

/** Counts bytes that an inbox has received from a sender. */
export function noteMail(deps: ShareDeps, inboxId: string, sender: MailSender, bytes: number): void {
  const shares = findShares(deps);
  const key = shareKey(deps, inboxId, sender);
  const share = currentShare(deps, shares, key) ?? { bytes: 0, since: deps.clock.now() };
  shares.set(key, { ...share, bytes: share.bytes + bytes });
}

/** Returns whether a sender has filled its share of an inbox for now. */
export function hasFilledShare(
  deps: ShareDeps,
  { inboxId, plan }: { inboxId: string; plan: Plan },
  sender: MailSender,
): boolean {
  const limit = planLimits({ plan, config: deps.config }).mail_bytes * limits.mailOfSenderShareMax;
  const shares = findShares(deps);
  const key = shareKey(deps, inboxId, sender);
  const share = currentShare(deps, shares, key);
  const isFilled = share !== undefined && share.bytes > limit;
  // A sender that keeps trying stays remembered, however many others came since.
  if (isFilled) shares.set(key, share);
  return isFilled;
}

function currentShare(deps: ShareDeps, shares: RecentMap<Share>, key: string): Share | undefined {
  const share = shares.get(key);
  const start = deps.timeScale.before(deps.clock.now(), limits.mailOfSenderWindowMs);
  return share && share.since > start ? share : undefined;
}

function shareKey(
  { config }: ShareDeps,
  inboxId: string,
  { envelopeFrom, remoteAddress }: MailSender,
): string {
  const isPublic = remoteAddress !== null && isPublicClient(remoteAddress);
  if (isPublic) return `${inboxId} client ${clientOf(remoteAddress)}`;
  const address = senderAddress(envelopeFrom);
  if (address === '') return `${inboxId} relay ${remoteAddress === null ? '' : clientOf(remoteAddress)}`;
  const domain = domainOf(address);
  const isOwn = remoteAddress === null || findMailDomain({ config }, address) !== null;
  return `${inboxId} ${isOwn ? address : `domain ${domain}`}`;
}

/** Remembered, because each mail needs them three times. */
const isPublicClient = remember(10_000, isPublicAddress);
const senderAddress = remember(10_000, (envelopeFrom) =>
  stripPlusTag(normalizeAddress(envelopeFrom) ?? envelopeFrom.toLowerCase()),
);
