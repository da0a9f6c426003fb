import { defineEntity, p } from '@mikro-orm/core';
import type { DmarcPolicy, Domain as DomainView } from '@postrider/contract';
import type { RecordCheck } from './records/record-check.ts';

/**
 * A sending domain of a workspace. Its DKIM key is encrypted. `due_at` is when a worker checks its records next, and each check raises
 * `fence`. `looking_since` is when the checks of a domain that was never verified began; `failing_since` is null while nothing is missing
 * that sending depends on.
 */
export const Domain = defineEntity({
  name: 'Domain',
  tableName: 'domains',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    hostname: p.text(),
    kind: p.text().$type<DomainView['kind']>(),
    status: p.text().$type<DomainView['status']>(),
    dmarcPolicy: p.text().$type<DmarcPolicy>(),
    ownershipToken: p.text(),
    dkimSelector: p.text(),
    dkimPrivateKey: p.text(),
    dkimPublicKey: p.text(),
    checks: p.json<RecordCheck[]>(),
    checkedAt: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    fence: p.integer(),
    lookingSince: p.datetime(3),
    failingSince: p.datetime(3).nullable(),
    verifiedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

/** Global: the domain that owns a hostname, because it was the last one to prove it. */
export const VerifiedHostname = defineEntity({
  name: 'VerifiedHostname',
  tableName: 'verified_hostnames',
  properties: {
    hostname: p.text().primary(),
    workspaceId: p.text(),
    domainId: p.text(),
  },
});
