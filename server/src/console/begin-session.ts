import type { Session } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { getPerson } from '../people/person.ts';
import type { PersonContext } from '../people/person-context.ts';
import { endSessions, type NewSession } from '../people/sessions/sessions.ts';
import type { SignInDevice } from '../people/sessions/sign-in.ts';
import { newDeviceToken } from '../people/sessions/sign-in-gate.ts';
import { readCookie, setDeviceCookie, setSessionCookie } from './cookies.ts';
import { viewSession } from './session.view.ts';
import { deviceOf } from './signed-in.ts';

/** Returns the device of a request, with its cookie. */
export function signInDeviceOf(req: Request): SignInDevice {
  return { ...deviceOf(req), deviceToken: readCookie(req, 'device') };
}

/** Marks the device of a request as one on which the person has signed in, until the password changes. */
export async function rememberDevice(
  deps: Deps,
  req: Request,
  res: Response,
  personId: string,
): Promise<void> {
  setDeviceCookie(req, res, newDeviceToken(deps, await getPerson(deps, personId)));
}

/** Responds with a new session in place of the one that the browser had. */
export async function beginSession(
  deps: Deps,
  req: Request,
  res: Response,
  session: NewSession,
): Promise<{ status: 200; body: Session }> {
  const before = res.locals.person as PersonContext | undefined;
  if (before) await endSessions(deps, { personId: before.personId, id: before.sessionId });
  setSessionCookie(req, res, session.token);
  await rememberDevice(deps, req, res, session.personId);
  return { status: 200, body: await viewSession(deps, session.personId, session.id) };
}
