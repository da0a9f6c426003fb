/* Signing in and out, and everything that people change about their own accounts. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { Plan } from '../limits.ts';
import { problems } from './errors.ts';
import {
  byId,
  Code,
  consoleLimits,
  Email,
  LinkToken,
  NewPassword,
  NoBody,
  nameField,
  Password,
  Role,
  time,
} from './fields.ts';

const c = initContract();

/** A person who signs in to the console. */
export const Person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  created_at: time(),
  has_password: z.boolean(),
  has_second_factor: z.boolean(),
  recovery_codes_left: z.int(),
});
export type Person = z.infer<typeof Person>;

/** A workspace that the person is in, with the role there. */
export const Membership = z.object({
  workspace_id: z.string(),
  /** The operator's, by which the command line names the workspace. */
  name: z.string(),
  /** The title that people gave it. */
  title: z.string(),
  role: Role,
  plan: Plan,
  test: z.boolean(),
  /** Whether the person gets mail about messages that wait for approval. */
  approval_mail: z.boolean(),
});
export type Membership = z.infer<typeof Membership>;

/** The facts about the server that pages need. */
export const ServerFacts = z.object({
  version: z.string(),
  api_url: z.string(),
  mail_domain: z.string(),
  smtp: z.object({ host: z.string(), port: z.int().nullable() }),
  transport: z.string(),
  /** Whether invitations and links for a new password go out by mail. */
  sends_mail: z.boolean(),
  /** Whether the management API is open. */
  management: z.boolean(),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

/** The signed-in person, the workspaces, and the server. */
export const Session = z.object({
  session_id: z.string(),
  person: Person,
  workspaces: z.array(Membership),
  server: ServerFacts,
});
export type Session = z.infer<typeof Session>;

/** One session of the person, on some device. */
export const OwnSession = z.object({
  id: z.string(),
  current: z.boolean(),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
});
export type OwnSession = z.infer<typeof OwnSession>;

/** Body of `session.signIn`. The code is needed where the account has a second factor. */
export const SignIn = z.strictObject({ email: Email, password: Password, code: Code.optional() });
export type SignIn = z.infer<typeof SignIn>;

/** Routes of the session. */
export const session = c.router({
  get: { method: 'GET', path: '/session', responses: { 200: Session, ...problems } },
  signIn: { method: 'POST', path: '/session', body: SignIn, responses: { 200: Session, ...problems } },
  signOut: { method: 'DELETE', path: '/session', body: NoBody, responses: { 204: c.noBody(), ...problems } },
  requestReset: {
    method: 'POST',
    path: '/password-resets',
    body: z.strictObject({ email: Email }),
    responses: { 202: z.object({ sends_mail: z.boolean() }), ...problems },
  },
  completeReset: {
    method: 'POST',
    path: '/password-resets/complete',
    body: z.strictObject({ token: LinkToken, password: NewPassword }),
    responses: { 204: c.noBody(), ...problems },
  },
  showInvitation: {
    method: 'POST',
    path: '/invitations/show',
    body: z.strictObject({ token: LinkToken }),
    responses: {
      200: z.object({
        email: z.string(),
        workspace_id: z.string(),
        /** Its title. */
        workspace: z.string(),
        role: Role,
        has_account: z.boolean(),
      }),
      ...problems,
    },
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/accept',
    body: z.strictObject({
      token: LinkToken,
      name: nameField(consoleLimits.nameCharactersMax).optional(),
      /** The password of a new account, or the one of the account with this email address. */
      password: Password,
      code: Code.optional(),
    }),
    responses: { 200: Session, ...problems },
  },
});

/** Routes of the own account. */
export const me = c.router({
  update: {
    method: 'PATCH',
    path: '/me',
    body: z.strictObject({ name: nameField(consoleLimits.nameCharactersMax) }),
    responses: { 200: Person, ...problems },
  },
  /** The notices that the person wants from a workspace. The id is that of the workspace. */
  updateMembership: {
    method: 'PATCH',
    path: '/me/workspaces/:id',
    pathParams: byId,
    body: z.strictObject({ approval_mail: z.boolean() }),
    responses: { 200: Membership, ...problems },
  },
  changePassword: {
    method: 'POST',
    path: '/me/password',
    body: z.strictObject({ current: Password, password: NewPassword }),
    responses: { 204: c.noBody(), ...problems },
  },
  sessions: {
    method: 'GET',
    path: '/me/sessions',
    responses: { 200: z.object({ sessions: z.array(OwnSession) }), ...problems },
  },
  endSession: {
    method: 'DELETE',
    path: '/me/sessions/:id',
    pathParams: byId,
    body: NoBody,
    responses: { 204: c.noBody(), ...problems },
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/me/sessions',
    body: NoBody,
    responses: { 204: c.noBody(), ...problems },
  },
  beginSecondFactor: {
    method: 'POST',
    path: '/me/second-factor',
    body: z.strictObject({ password: Password }),
    responses: { 200: z.object({ secret: z.string(), uri: z.string() }), ...problems },
  },
  confirmSecondFactor: {
    method: 'POST',
    path: '/me/second-factor/confirm',
    body: z.strictObject({ code: Code }),
    responses: { 200: z.object({ recovery_codes: z.array(z.string()) }), ...problems },
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/me/second-factor',
    body: z.strictObject({ password: Password }),
    responses: { 204: c.noBody(), ...problems },
  },
});
