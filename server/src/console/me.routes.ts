import { consoleContract } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import { notFound } from '../lib/api-error.ts';
import { changePassword, requirePassword } from '../people/factors/password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
} from '../people/factors/second-factor.ts';
import { setApprovalMail } from '../people/members.ts';
import { updatePerson, viewPerson } from '../people/person.ts';
import { endSessions, listSessions } from '../people/sessions/sessions.ts';
import { defineRoutes } from '../routes.ts';
import { rememberDevice } from './begin-session.ts';
import { clearSessionCookie } from './cookies.ts';
import { listMemberships } from './session.view.ts';
import { personOf } from './signed-in.ts';

/** Handlers of what people change about their own accounts. */
export const meRoutes = defineRoutes(consoleContract.me, {
  update: async ({ res, body }) => ({
    status: 200,
    body: viewPerson(await updatePerson(personOf(res), body)),
  }),
  updateMembership: async ({ res, params, body }) => {
    const person = personOf(res);
    await setApprovalMail(person, params.id, body.approval_mail);
    const memberships = await listMemberships(person, person.personId);
    const changed = memberships.find(({ workspace_id }) => workspace_id === params.id);
    if (!changed) throw notFound('id');
    return { status: 200, body: changed };
  },
  changePassword: async ({ req, res, body }) => {
    const person = personOf(res);
    await changePassword(person, body.current, body.password);
    // The cookie of the device went with the old password.
    await rememberDevice(person, req as Request, res as Response, person.personId);
    return { status: 204, body: undefined };
  },
  sessions: async ({ res }) => ({ status: 200, body: { sessions: await listSessions(personOf(res)) } }),
  endSession: async ({ req, res, params }) => {
    const person = personOf(res);
    const ended = await endSessions(person, { personId: person.personId, id: params.id });
    if (ended === 0) throw notFound('id');
    if (params.id === person.sessionId) clearSessionCookie(req as Request, res as Response);
    return { status: 204, body: undefined };
  },
  endOtherSessions: async ({ res }) => {
    const { personId, sessionId, ...deps } = personOf(res);
    await endSessions(deps, { personId, except: sessionId });
    return { status: 204, body: undefined };
  },
  beginSecondFactor: async ({ res, body }) => {
    const person = personOf(res);
    await requirePassword(person, body.password);
    return { status: 200, body: await beginSecondFactor(person, person.personId) };
  },
  confirmSecondFactor: async ({ res, body }) => {
    const codes = await confirmSecondFactor(personOf(res), body.code);
    return { status: 200, body: { recovery_codes: codes } };
  },
  removeSecondFactor: async ({ res, body }) => {
    const person = personOf(res);
    await requirePassword(person, body.password);
    await removeOwnSecondFactor(person);
    return { status: 204, body: undefined };
  },
});
