import { consoleContract } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { completeReset, requestReset } from '../people/factors/password.ts';
import { acceptInvitation, showInvitation } from '../people/invitations/accept-invitation.ts';
import { endSessions } from '../people/sessions/sessions.ts';
import { signIn } from '../people/sessions/sign-in.ts';
import { sendsMail } from '../people-mail/queue-people-mail.ts';
import { defineRoutes } from '../routes.ts';
import { beginSession, rememberDevice, signInDeviceOf } from './begin-session.ts';
import { clearSessionCookie } from './cookies.ts';
import { viewSession } from './session.view.ts';
import { personOf } from './signed-in.ts';

/** Handlers of signing in and out. Most of them need no session. */
export function sessionRoutes(deps: Deps) {
  return defineRoutes(consoleContract.session, {
    get: async ({ res }) => {
      const { personId, sessionId } = personOf(res);
      return { status: 200, body: await viewSession(deps, personId, sessionId) };
    },
    signIn: async ({ req, res, body }) =>
      beginSession(deps, req, res, await signIn(deps, body, signInDeviceOf(req))),
    signOut: async ({ req, res }) => {
      const { personId, sessionId } = personOf(res);
      await endSessions(deps, { personId, id: sessionId });
      clearSessionCookie(req as Request, res as Response);
      return { status: 204, body: undefined };
    },
    requestReset: async ({ req, body }) => {
      await requestReset(deps, body.email, signInDeviceOf(req));
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
      beginSession(deps, req, res, await acceptInvitation(deps, body, signInDeviceOf(req))),
  });
}
