import type { Membership, ServerFacts, Session } from '@postrider/contract/console';
import manifest from '../../package.json' with { type: 'json' };
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wantsApprovalMail } from '../people/members.ts';
import { getPerson, viewPerson } from '../people/person.ts';
import { sendsMail } from '../people-mail/queue-people-mail.ts';

/** Returns the session as the console shows it: the person, the workspaces, and the server. */
export async function viewSession(deps: Deps, personId: string, sessionId: string): Promise<Session> {
  const [person, workspaces] = await Promise.all([
    getPerson(deps, personId),
    listMemberships(deps, personId),
  ]);
  return { session_id: sessionId, person: viewPerson(person), workspaces, server: factsOf(deps) };
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

function factsOf(deps: Deps): ServerFacts {
  return {
    version: manifest.version,
    api_url: `${deps.address.publicUrl}/v1`,
    mail_domain: deps.config.mailDomain,
    smtp: { host: deps.config.smtp.host, port: deps.address.smtpPort },
    transport: deps.transport.name,
    sends_mail: sendsMail(deps),
  };
}
