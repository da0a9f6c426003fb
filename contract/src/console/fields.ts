import * as z from 'zod';
import { about } from '../fields/scalars.ts';
import { limits } from '../limits.ts';

/** Limits of the console, in addition to those of the API. */
export const consoleLimits = {
  passwordCharactersMin: 10,
  passwordCharactersMax: 256,
  emailCharactersMax: 254,
  nameCharactersMax: 100,
  keyNameCharactersMax: 100,
  keysPerWorkspaceMax: 200,
  adminTokensPerWorkspaceMax: 100,
  /** An admin token expires this long after it was made at the latest. */
  adminTokenMs: 365 * 24 * 60 * 60 * 1_000,
  inboxesPerKeyMax: 100,
  membersPerWorkspaceMax: 200,
  invitationsPerWorkspaceMax: 100,
  passkeysPerPersonMax: 20,
  sessionsPerPersonMax: 50,
  /** A session ends this long after it was used last, and at the latest this long after the sign-in. */
  sessionIdleMs: 7 * 24 * 60 * 60 * 1_000,
  sessionAbsoluteMs: 30 * 24 * 60 * 60 * 1_000,
  invitationMs: 7 * 24 * 60 * 60 * 1_000,
  resetMs: 60 * 60 * 1_000,
  recoveryCodes: 10,
  pauseReasonCharactersMax: 300,
  pausesListedMax: 200,
  /** How many held messages one request decides about. */
  approvalsPerDecisionMax: 50,
  decidedByCharactersMax: 200,
  requestsKeptMs: 7 * 24 * 60 * 60 * 1_000,
  auditKeptMs: 365 * 24 * 60 * 60 * 1_000,
} as const;

/** The role of a person in a workspace, which decides what the person may do. */
export const Role = z.enum(['owner', 'member']);
export type Role = z.infer<typeof Role>;

/** The email address with which a person signs in. Case is ignored. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(consoleLimits.emailCharactersMax, { error: 'is too long for an email address' })
  .regex(/^[^\s@<>,;:"()[\]\\\p{Cc}\p{Cs}]+@[^\s@<>,;:"()[\]\\\p{Cc}\p{Cs}]+$/u, {
    error: 'must be an email address like ada@example.com',
  })
  .meta(about('An email address. Case is ignored.', 'grace@example.com'));

const { passwordCharactersMin: min, passwordCharactersMax: max } = consoleLimits;

/** A password that is chosen: length matters, and composition does not (NIST SP 800-63B, section 3.1.1.2). */
export const NewPassword = z
  .string()
  .min(min, { error: `must have at least ${min} characters` })
  .max(max, { error: `must have at most ${max} characters` });

/** A password that is checked. */
export const Password = z.string().max(max, { error: `must have at most ${max} characters` });

/** A code of an authenticator app, or a recovery code. */
export const Code = z.string().trim().max(20, { error: 'is too long for a code' });

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;

/** The name of a person or of a thing, on one line. */
export function nameField(charactersMax: number) {
  return z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(charactersMax, { error: `must have at most ${charactersMax} characters` })
    .regex(plainText, { error: 'must be one line of text' });
}

/** A text that a list is searched for. */
export const SearchedText = z
  .string()
  .max(300, { error: 'must have at most 300 characters' })
  .regex(plainText, { error: 'must be one line of text' })
  .optional();

/** The token of a link: an invitation or a new password. */
export const LinkToken = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_-]*$/, { error: 'is not the token of a link' });

/** Path parameters of a route about one thing. Any text is accepted, because an unknown id is a 404. */
export const byId = z.object({ id: z.string().max(limits.searchQueryCharactersMax) });

/** A time in a response of the console. */
export function time() {
  return z.iso.datetime({ precision: 3 }).meta(about('A time in UTC.', '2026-11-20T09:30:00.000Z'));
}

/** Body of a request without fields. */
export const NoBody = z.strictObject({}).optional();
