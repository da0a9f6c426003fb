import type { DnsRecord, Domain } from '@postrider/contract';

/** The purpose of a record that a domain publishes. */
export type RecordPurpose = DnsRecord['purpose'];

/** The result of the last check of one record, as it is stored. */
export interface RecordCheck {
  purpose: RecordPurpose;
  status: DnsRecord['status'];
  /** The published value, the nearest to the expected one if there are several; null if there is none. */
  found: string | null;
  /** A sentence on what is wrong; null if nothing is. */
  hint?: string | null;
  /** The published DMARC policy is valid, and weaker than the one that was asked for. */
  isWeaker?: true;
  /** Mail for the name goes to other servers only. */
  isElsewhere?: true;
  /** The name server that was asked; null if none answered. */
  server: string | null;
  /** The time of the check, in ISO 8601. */
  at: string;
  /** The time of the check that found this status first. */
  since?: string;
  /** No name server answered, so the status is that of an earlier check. */
  isUnanswered?: true;
}

/** The part of a domain that decides which records it publishes. */
export interface PublishedDomain {
  hostname: string;
  kind: Domain['kind'];
  dmarc_policy: Domain['dmarc_policy'];
  ownership_token: string;
  dkim_selector: string;
  dkim_public_key: string;
}
