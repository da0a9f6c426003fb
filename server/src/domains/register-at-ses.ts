/*
 * Amazon SES sends only for domains that it has verified itself. A domain is therefore registered there, with its own key, as soon as its
 * records prove that it belongs to its workspace, and counts as verified once SES also says so. A domain that another workspace has proven
 * is left alone, because a registration replaces the key.
 */
import type { Deps } from '../deps.ts';
import { sesDomainSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { perServer } from '../lib/memory.ts';
import { type SesIdentities, SesIdentityError, type SesIdentityState } from '../mail/aws/ses-identities.ts';
import { findHolder } from './claim-hostname.ts';
import type { RecordCheck, RecordPurpose } from './domain.entity.ts';
import { openDomainKey } from './domain-key.ts';
import type { DomainRow } from './find-domain.ts';
import { bounceDomain } from './mail-domain.ts';

const sesSlots = perServer(
  () =>
    new Slots(sesDomainSlots, {
      refusal: () => new SesIdentityError('Amazon SES was too busy to be asked.'),
    }),
);

/**
 * Returns the results of a check of the records, together with what Amazon SES says about the domain; unchanged if mail is not sent through
 * SES.
 */
export async function withSesState(
  deps: Deps,
  domain: DomainRow,
  checks: RecordCheck[],
): Promise<RecordCheck[]> {
  const { sesIdentities } = deps;
  const isProven = checks.every(
    ({ purpose, status }) => (purpose !== 'ownership' && purpose !== 'dkim') || status === 'verified',
  );
  if (!sesIdentities || !isProven) return checks;
  const holder = await findHolder({ db: deps.db, workspaceId: domain.workspace_id }, domain.hostname);
  if (holder?.isProven) return checks;
  try {
    const state = await sesSlots(deps).run(domain.workspace_id, () => register(deps, sesIdentities, domain));
    const isSure = domain.verified_at !== null;
    return checks.map((check) =>
      isSure && !isLost[check.purpose]?.(state) ? check : withState(check, state),
    );
  } catch (error) {
    if (!(error instanceof SesIdentityError)) throw error;
    deps.log.warn({ hostname: domain.hostname, problem: error.message }, 'Amazon SES was not asked');
    // A verified domain stays verified while SES is unavailable.
    return domain.verified_at === null ? checks.map((check) => unlessSure(check, error.message)) : checks;
  }
}

/** Returns the state of a domain at SES, which is registered if SES does not know it with its present key. */
async function register(deps: Deps, identities: SesIdentities, domain: DomainRow): Promise<SesIdentityState> {
  const known = await identities.read(domain.hostname);
  if (known?.verifiedForSending && known.dkimStatus === 'SUCCESS' && domain.verified_at !== null)
    return known;
  return identities.ensure({
    hostname: domain.hostname,
    selector: domain.dkim_selector,
    privateKeyPem: openDomainKey(deps.keys, domain.id, domain.dkim_private_key),
    mailFromDomain: bounceDomain(domain.hostname),
    configurationSet: deps.config.ses?.configurationSet ?? null,
  });
}

/** Has SES forget a deleted domain if it has its key. A domain that the operator has registered, or another workspace, stays. */
export async function forgetAtSes(
  deps: Deps,
  { hostname, selector }: { hostname: string; selector: string },
): Promise<void> {
  await deps.sesIdentities?.remove(hostname, selector);
}

/** A registration that worked is lost only when SES says so. Until then it may have failed to look once. */
const isLost: Partial<Record<RecordPurpose, (state: SesIdentityState) => boolean>> = {
  dkim: ({ dkimStatus }) => dkimStatus === 'FAILED',
  mail_from: ({ mailFromStatus }) => mailFromStatus === 'FAILED',
};
const isReady: Partial<Record<RecordPurpose, (state: SesIdentityState) => boolean>> = {
  dkim: ({ dkimStatus, verifiedForSending }) => dkimStatus === 'SUCCESS' && verifiedForSending,
  mail_from: ({ mailFromStatus }) => mailFromStatus === 'SUCCESS',
};

function withState(check: RecordCheck, state: SesIdentityState): RecordCheck {
  const isFine = isReady[check.purpose]?.(state) ?? true;
  return isFine ? check : unlessSure(check, state.detail ?? 'Amazon SES has not verified the domain yet.');
}

function unlessSure(check: RecordCheck, problem: string): RecordCheck {
  if (check.status !== 'verified' || !isReady[check.purpose]) return check;
  return { ...check, status: 'pending', hint: `right, but SES is not ready: ${problem.replace(/\.$/, '')}` };
}
