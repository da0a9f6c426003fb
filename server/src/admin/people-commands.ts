import { consoleErrors, Email, Role } from '@postrider/contract/console';
import { operator } from '../audit/append-audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { ApiError } from '../lib/api-error.ts';
import { removePasskeys } from '../people/factors/passkeys.ts';
import { createResetLink } from '../people/factors/password.ts';
import { removeSecondFactor } from '../people/factors/second-factor.ts';
import { inviteByHand } from '../people/invitations/invitations.ts';
import { listPeople } from '../people/list-people.ts';
import { removeMember, setRole } from '../people/members.ts';
import { findPersonByEmail, type PersonRow } from '../people/person.ts';
import { type OperatorContext, recordForPerson } from '../people/person-context.ts';
import { endSessions } from '../people/sessions/sessions.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';

interface OfWorkspace {
  email: string;
  /** By default the first workspace. */
  workspace?: string;
}

/** The commands about people. The audit log of each workspace that is concerned says that the operator ran them. */
export const peopleCommands = {
  'people list': (deps: AdminDeps) => listPeople(deps),
  'people invite': async (deps: AdminDeps, input: OfWorkspace & { role: string }) => {
    const email = readEmail(input.email);
    const role = readRole(input.role);
    return explained(inviteByHand(await contextOf(deps, input), { email, role }));
  },
  'people set-role': async (deps: AdminDeps, input: OfWorkspace & { role: string }) => {
    const role = readRole(input.role);
    const [person, ctx] = [await requirePerson(deps, input.email), await contextOf(deps, input)];
    return explained(setRole(ctx, person.id, role), notIn(input));
  },
  'people remove': async (deps: AdminDeps, input: OfWorkspace) => {
    const [person, ctx] = [await requirePerson(deps, input.email), await contextOf(deps, input)];
    await explained(removeMember(ctx, person.id), notIn(input));
    return { email: person.email, removed: true };
  },
  'people reset': async (deps: AdminDeps, { email }: { email: string }) => {
    const person = await requirePerson(deps, email);
    return inTransaction(deps, async (tx) => {
      const link = await createResetLink(tx, person.id);
      const act = { action: 'person.reset_link_made', after: { email: person.email } };
      await recordForPerson(tx, person.id, operator, act);
      return link;
    });
  },
  'people second-factor-off': async (deps: AdminDeps, { email }: { email: string }) => {
    const person = await requirePerson(deps, email);
    // The lost phone may be signed in, too, and have a passkey.
    const change = async (tx: AdminDeps) => {
      await removeSecondFactor(tx, person.id);
      await removePasskeys(tx, person.id);
    };
    const act = { action: 'person.second_factor_removed', after: { email: person.email } };
    await endSessions(deps, { personId: person.id }, change, (tx) =>
      recordForPerson(tx, person.id, operator, act),
    );
    return { email: person.email, second_factor: false };
  },
};

function readEmail(text: string): string {
  const read = Email.safeParse(text);
  if (!read.success) throw new Error(`${text} is no email address, which looks like ada@example.com.`);
  return read.data;
}

function readRole(text: string): Role {
  const read = Role.safeParse(text);
  if (!read.success) throw new Error(`There is no role ${text}. The roles are ${Role.options.join(', ')}.`);
  return read.data;
}

async function requirePerson(deps: AdminDeps, text: string): Promise<PersonRow> {
  const email = readEmail(text);
  const person = await findPersonByEmail(deps, email);
  if (!person) throw new Error(`Nobody signs in with ${email}. "people list" shows who does.`);
  return person;
}

async function contextOf(deps: AdminDeps, { workspace }: OfWorkspace): Promise<OperatorContext> {
  const { db, clock, wakeups, address } = deps;
  const { id: workspaceId } = await getWorkspace(deps, workspace ?? firstWorkspaceName);
  return { db, clock, wakeups, address, workspaceId, personId: null };
}

function notIn({ email, workspace }: OfWorkspace): string {
  return `${email} is not in the workspace ${workspace ?? firstWorkspaceName}. "people list" shows who is.`;
}

/** Turns an error of the console into a sentence for the terminal. */
async function explained<T>(work: Promise<T>, unknown?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'not_found' && unknown !== undefined) throw new Error(unknown);
    const meaning = error.code in consoleErrors ? consoleErrors[error.code as 'last_owner'].meaning : '';
    throw new Error(`${meaning} ${error.message}`.trim());
  }
}
