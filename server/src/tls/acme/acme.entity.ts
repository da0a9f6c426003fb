import { defineEntity, p } from '@mikro-orm/core';

/** How a host proves that it is this server: by HTTP at port 80, or by TLS at port 443. */
export type ChallengeType = 'http-01' | 'tls-alpn-01';

/**
 * A certificate that an ACME server issues for a host of this server. `due_at` is when a worker looks at it next, and each look raises
 * `fence`. The columns of the certificate are null before the first one. A failure stays until the next success.
 */
export const TlsCertificate = defineEntity({
  name: 'TlsCertificate',
  tableName: 'tls_certificates',
  properties: {
    hostname: p.text().primary(),
    /** The directory of the ACME server that issued it, or is to issue the first one. */
    directory: p.text(),
    /** The chain and its private key, encrypted by the root secret. */
    sealedPair: p.text().nullable(),
    validFrom: p.datetime(3).nullable(),
    validTo: p.datetime(3).nullable(),
    /** The type of the challenge by which it was issued, which is tried first the next time. */
    provenBy: p.text().$type<ChallengeType>().nullable(),
    dueAt: p.datetime(3),
    fence: p.integer(),
    failures: p.integer(),
    failure: p.text().nullable(),
    failedAt: p.datetime(3).nullable(),
  },
});

/** The account of this server at an ACME server, which is known by its key. */
export const AcmeAccount = defineEntity({
  name: 'AcmeAccount',
  tableName: 'acme_accounts',
  properties: {
    directory: p.text().primary(),
    /** The private key as PEM, encrypted by the root secret. */
    sealedKey: p.text(),
    createdAt: p.datetime(3),
  },
});

/** The answer that an ACME server expects to find at a host, as long as it looks. Any process may be asked. */
export const AcmeChallenge = defineEntity({
  name: 'AcmeChallenge',
  tableName: 'acme_challenges',
  properties: {
    token: p.text().primary(),
    hostname: p.text(),
    keyAuthorization: p.text(),
    expiresAt: p.datetime(3),
  },
});
