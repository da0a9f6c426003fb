import { consoleContract } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '../people/factors/passkeys.ts';
import { changePassword, completeReset, requestReset, requirePassword } from '../people/factors/password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
} from '../people/factors/second-factor.ts';
import { beginPasskeySignIn, signInByPasskey } from '../people/factors/sign-in-by-passkey.ts';
import { acceptInvitation, showInvitation } from '../people/invitations/accept-invitation.ts';
import { setApprovalMail } from '../people/members.ts';
import { updatePerson, viewPerson } from '../people/person.ts';
import { endSessions, listSessions } from '../people/sessions/sessions.ts';
import { signIn } from '../people/sessions/sign-in.ts';
import { sendsMail } from '../people-mail/queue-people-mail.ts';
import { defineRoutes } from '../routes.ts';
import {
  beginSession,
  listMemberships,
  readSignInDevice,
  rememberDevice,
  viewSession,
} from './begin-session.ts';
import { clearSessionCookie } from './cookies.ts';
import { readSite } from './guard-requests.ts';
import { readDevice, signedInPerson } from './signed-in.ts';

/** Handlers of signing in and out. Most of them need no session. */
export function sessionRoutes(deps: Deps) {
  return defineRoutes(consoleContract.session, {
    get: async ({ res }) => {
      const { personId, sessionId } = signedInPerson(res);
      return { status: 200, body: await viewSession(deps, personId, sessionId) };
    },
    signIn: async ({ req, res, body }) =>
      beginSession(deps, req, res, await signIn(deps, body, readSignInDevice(req))),
    signOut: async ({ req, res }) => {
      const { personId, sessionId } = signedInPerson(res);
      await endSessions(deps, { personId, id: sessionId });
      clearSessionCookie(req as Request, res as Response);
      return { status: 204, body: undefined };
    },
    requestReset: async ({ req, body }) => {
      await requestReset(deps, body.email, readSignInDevice(req));
      return { status: 202, body: { sends_mail: sendsMail(deps) } };
    },
    completeReset: async ({ req, res, body }) => {
      const personId = await completeReset(deps, body, req.ip ?? null);
      // The link has proved the person, whose sign-in that follows must not wait because strangers guess.
      await rememberDevice(deps, req as Request, res as Response, personId);
      return { status: 204, body: undefined };
    },
    showInvitation: async ({ body }) => ({ status: 200, body: await showInvitation(deps, body.token) }),
    acceptInvitation: async ({ req, res, body }) =>
      beginSession(deps, req, res, await acceptInvitation(deps, body, readSignInDevice(req))),
  });
}

/** Handlers for changes that people make to their own accounts. */
export const meRoutes = defineRoutes(consoleContract.me, {
  update: async ({ res, body }) => ({
    status: 200,
    body: viewPerson(await updatePerson(signedInPerson(res), body)),
  }),
  updateMembership: async ({ res, params, body }) => {
    const person = signedInPerson(res);
    await setApprovalMail(person, params.id, body.approval_mail);
    const memberships = await listMemberships(person, person.personId);
    const changed = memberships.find(({ workspace_id }) => workspace_id === params.id);
    if (!changed) throw notFound('id');
    return { status: 200, body: changed };
  },
  changePassword: async ({ req, res, body }) => {
    const person = signedInPerson(res);
    await changePassword(person, body.current, body.password);
    // The cookie of the device went with the old password.
    await rememberDevice(person, req as Request, res as Response, person.personId);
    return { status: 204, body: undefined };
  },
  sessions: async ({ res }) => ({ status: 200, body: { sessions: await listSessions(signedInPerson(res)) } }),
  endSession: async ({ req, res, params }) => {
    const person = signedInPerson(res);
    const ended = await endSessions(person, { personId: person.personId, id: params.id });
    if (ended === 0) throw notFound('id');
    if (params.id === person.sessionId) clearSessionCookie(req as Request, res as Response);
    return { status: 204, body: undefined };
  },
  endOtherSessions: async ({ res }) => {
    const { personId, sessionId, ...deps } = signedInPerson(res);
    await endSessions(deps, { personId, except: sessionId });
    return { status: 204, body: undefined };
  },
  beginSecondFactor: async ({ res, body }) => {
    const person = signedInPerson(res);
    await requirePassword(person, body.password);
    return { status: 200, body: await beginSecondFactor(person, person.personId) };
  },
  confirmSecondFactor: async ({ res, body }) => {
    const codes = await confirmSecondFactor(signedInPerson(res), body.code);
    return { status: 200, body: { recovery_codes: codes } };
  },
  removeSecondFactor: async ({ res, body }) => {
    const person = signedInPerson(res);
    await requirePassword(person, body.password);
    await removeOwnSecondFactor(person);
    return { status: 204, body: undefined };
  },
});

/** Handlers of passkeys. Signing in with one needs no session. */
export function passkeysRoutes(deps: Deps) {
  return defineRoutes(consoleContract.passkeys, {
    signInOptions: async ({ req }) => ({ status: 200, body: await beginPasskeySignIn(deps, readSite(req)) }),
    signIn: async ({ req, res, body }) =>
      beginSession(deps, req, res, await signInByPasskey(deps, readSite(req), body, readDevice(req))),
    list: async ({ res }) => ({ status: 200, body: { passkeys: await listPasskeys(signedInPerson(res)) } }),
    addOptions: async ({ req, res, body }) => {
      const person = signedInPerson(res);
      const site = readSite(req);
      await requirePassword(person, body.password);
      return { status: 200, body: await beginPasskey(person, site) };
    },
    add: async ({ req, res, body }) => ({
      status: 201,
      body: await addPasskey(signedInPerson(res), readSite(req), body),
    }),
    remove: async ({ res, params, body }) => {
      const person = signedInPerson(res);
      await requirePassword(person, body.password);
      await removePasskey(person, params.id);
      return { status: 204, body: undefined };
    },
  });
}
