import type { Membership, ServerFacts, Session } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import manifest from '../../package.json' with { type: 'json' };
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wantsApprovalMail } from '../people/members.ts';
import { getPerson, viewPerson } from '../people/person.ts';
import type { PersonContext } from '../people/person-context.ts';
import { endSessions, type NewSession } from '../people/sessions/sessions.ts';
import type { SignInDevice } from '../people/sessions/sign-in.ts';
import { newDeviceToken } from '../people/sessions/sign-in-gate.ts';
import { sendsMail } from '../people-mail/queue-people-mail.ts';
import { readCookie, setDeviceCookie, setSessionCookie } from './cookies.ts';
import { readDevice } from './signed-in.ts';

/** Returns the device of a request, with its cookie. */
export function readSignInDevice(req: Request): SignInDevice {
  return { ...readDevice(req), deviceToken: readCookie(req, 'device') };
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

/** Returns the session as the console shows it: the person, the workspaces, and the server. */
export async function viewSession(deps: Deps, personId: string, sessionId: string): Promise<Session> {
  const [person, workspaces] = await Promise.all([
    getPerson(deps, personId),
    listMemberships(deps, personId),
  ]);
  return { session_id: sessionId, person: viewPerson(person), workspaces, server: viewServer(deps) };
}

/** Returns the workspaces that a person is in. */
export async function listMemberships(deps: Pick<Deps, 'db'>, personId: string): Promise<Membership[]> {
  const rows = await acrossWorkspaces(deps, 'a person may be in several workspaces')
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['workspace_id', 'workspaces.name', 'title', 'role', 'plan', 'is_test', 'approval_mail'])
    .where('person_id', '=', personId)
    .orderBy('workspaces.id')
    .execute();
  return rows.map(({ is_test, approval_mail, ...membership }) => ({
    ...membership,
    test: is_test,
    approval_mail: wantsApprovalMail({ approval_mail, role: membership.role }),
  }));
}

function viewServer(deps: Deps): ServerFacts {
  return {
    version: manifest.version,
    api_url: `${deps.address.publicUrl}/v1`,
    mail_domain: deps.config.mailDomain,
    smtp: { host: deps.config.smtp.host, port: deps.address.smtpPort },
    transport: deps.transport.name,
    sends_mail: sendsMail(deps),
    management: deps.config.management,
  };
}
