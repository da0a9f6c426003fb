import { defineEntity, p } from '@mikro-orm/core';
import type { DmarcPolicy, DnsRecord, Domain as DomainView } from '@postrider/contract';

/** The purpose of a record that a domain publishes. */
export type RecordPurpose = DnsRecord['purpose'];

/** The result of the last check of one record, in its stored form. */
export interface RecordCheck {
  purpose: RecordPurpose;
  status: DnsRecord['status'];
  /** The published value, the nearest to the expected one if there are several; null if there is none. */
  found: string | null;
  /** A sentence about the problem; null if there is none. */
  hint?: string | null;
  /** The published DMARC policy is valid, and weaker than the one that was asked for. */
  isWeaker?: true;
  /** Mail for the name goes to other servers only. */
  isElsewhere?: true;
  /** The name server that was asked; null if none responded. */
  server: string | null;
  /** The time of the check, in ISO 8601. */
  at: string;
  /** The time of the check that found this status first. */
  since?: string;
  /** No name server responded, so the status is from an earlier check. */
  isUnanswered?: true;
}

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

/** The key that signs mail of a shared domain. There is one for each domain that the server has had as its shared one. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_keys',
  properties: {
    domain: p.text().primary(),
    /** As published in DNS. */
    publicKey: p.text(),
    /** The private key as PEM, encrypted by the root secret. */
    sealedKey: p.text(),
    createdAt: p.datetime(3),
  },
});

/**
 * The mails that receivers reported as claiming to be from a domain on a day (UTC), by whether DMARC passed. `is_own` marks mail that this
 * server has sent. Failing mail is counted by its source; the rest of a day has an empty one.
 */
export const DmarcCount = defineEntity({
  name: 'DmarcCount',
  tableName: 'dmarc_counts',
  properties: {
    workspaceId: p.text().primary(),
    domainId: p.text().primary(),
    day: p.date().primary(),
    isOwn: p.boolean().primary(),
    source: p.text().primary(),
    passed: p.bigint('number'),
    failed: p.bigint('number'),
  },
});

/** A report that was counted, so that a repeated one is not. `reporter` is the verified domain of its mail. */
export const SeenDmarcReport = defineEntity({
  name: 'SeenDmarcReport',
  tableName: 'seen_dmarc_reports',
  properties: {
    workspaceId: p.text().primary(),
    domainId: p.text().primary(),
    reporter: p.text().primary(),
    hash: p.blob().primary(),
    receivedAt: p.datetime(3),
  },
});
