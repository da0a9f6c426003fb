import { defineEntity, p } from '@mikro-orm/core';

/**
 * A person who signs in. The secret of the second factor is encrypted; it is `pending` until a first code has proved that the person has
 * it. `second_factor_step` is the time step of the last code that was used, because none may be used twice.
 */
export const Person = defineEntity({
  name: 'Person',
  tableName: 'people',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    name: p.text(),
    passwordHash: p.text().nullable(),
    secondFactor: p.text().nullable(),
    secondFactorPending: p.text().nullable(),
    secondFactorStep: p.bigint('number').nullable(),
    recoveryHashes: p.array<string>(),
    createdAt: p.datetime(3),
  },
});

/** A session on one device. The browser has the token, and the row its SHA-256. */
export const PersonSession = defineEntity({
  name: 'PersonSession',
  tableName: 'person_sessions',
  properties: {
    id: p.text().primary(),
    personId: p.text(),
    tokenHash: p.blob(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    expiresAt: p.datetime(3),
    userAgent: p.text().nullable(),
    address: p.text().nullable(),
  },
});

/** A person in a workspace. `approvalMail` says whether the person wants mail about held messages; null leaves it to the role. */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    workspaceId: p.text().primary(),
    personId: p.text().primary(),
    role: p.text().$type<'owner' | 'member'>(),
    createdAt: p.datetime(3),
    approvalMail: p.boolean().nullable(),
  },
});

/** An invitation into a workspace. Its link has the token, and the row its SHA-256. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    workspaceId: p.text().primary(),
    id: p.text().primary(),
    email: p.text(),
    role: p.text().$type<'owner' | 'member'>(),
    tokenHash: p.blob(),
    invitedBy: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});

/** A link with which a person chooses a new password, once. */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    tokenHash: p.blob().primary(),
    personId: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});

/** A passkey of a person: a credential of WebAuthn. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.text().primary(),
    personId: p.text(),
    credentialId: p.text(),
    /** The host name for which it was made; null for one from before that was remembered, until it is used. */
    site: p.text().nullable(),
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.array<string>(),
    name: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

/** A ticket that was used, by its SHA-256, until it expires. */
export const UsedTicket = defineEntity({
  name: 'UsedTicket',
  tableName: 'used_tickets',
  properties: {
    tokenHash: p.blob().primary(),
    expiresAt: p.datetime(3),
  },
});
