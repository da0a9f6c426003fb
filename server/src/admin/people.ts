import { consoleErrors, Email, Role } from '@postrider/contract/console';
import type { Command } from 'commander';
import { operator } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { removePasskeys } from '../people/factors/passkeys.ts';
import { createResetLink } from '../people/factors/password.ts';
import { removeSecondFactor } from '../people/factors/second-factor.ts';
import { inviteByHand } from '../people/invitations/invitations.ts';
import { removeMember, setRole } from '../people/members.ts';
import { findPersonByEmail, type PersonRow } from '../people/person.ts';
import { type OperatorContext, recordForPerson } from '../people/person-context.ts';
import { endSessions } from '../people/sessions/sessions.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { byDefault, findNamed } from './named-workspace.ts';

const workspaceOption = ['--workspace <name>', byDefault] as const;

interface OfWorkspace {
  email: string;
  /** By default, as `findNamed` finds it. */
  workspace?: string;
}

/** The commands about people. The audit log of each workspace that is concerned says that the operator ran them. */
export const peopleCommands = {
  'people list': (deps: AdminDeps) => listPeople(deps),
  'people invite': async (deps: AdminDeps, input: OfWorkspace & { role: string }) => {
    const email = readEmail(input.email);
    const role = readRole(input.role);
    return explained(inviteByHand(await openContext(deps, input), { email, role }));
  },
  'people set-role': async (deps: AdminDeps, input: OfWorkspace & { role: string }) => {
    const role = readRole(input.role);
    const [person, ctx] = [await requirePerson(deps, input.email), await openContext(deps, input)];
    return explained(setRole(ctx, person.id, role), notIn(input));
  },
  'people remove': async (deps: AdminDeps, input: OfWorkspace) => {
    const [person, ctx] = [await requirePerson(deps, input.email), await openContext(deps, input)];
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

/** Adds the verbs about people who sign in to the console. */
export function registerPeople(people: Command, terminal: Terminal): void {
  people
    .command('list')
    .description('show people, their workspaces and roles')
    .action((options: Printing) => runAndPrint(terminal, peopleCommands['people list'], options));
  people
    .command('invite <email>')
    .description('print a link with which a person can join a workspace; it works once, for seven days')
    .option(...workspaceOption)
    .option('--role <role>', 'owner or member', 'member')
    .action((email: string, options: { workspace?: string; role: string }) =>
      runAndPrint(terminal, peopleCommands['people invite'], { email, ...options }),
    );
  people
    .command('set-role <email> <role>')
    .description('make a person an owner or a member of a workspace')
    .option(...workspaceOption)
    .action((email: string, role: string, options: { workspace?: string }) =>
      runAndPrint(terminal, peopleCommands['people set-role'], { email, role, ...options }),
    );
  people
    .command('remove <email>')
    .description('remove a person from a workspace')
    .option(...workspaceOption)
    .action((email: string, options: { workspace?: string }) =>
      runAndPrint(terminal, peopleCommands['people remove'], { email, ...options }),
    );
  people
    .command('reset <email>')
    .description('print a link with which a person can choose a new password; it works once, for an hour')
    .action((email: string, options: Printing) =>
      runAndPrint(terminal, peopleCommands['people reset'], { email, ...options }),
    );
  people
    .command('second-factor-off <email>')
    .description('remove the second factor of a person who has lost it, and end all sessions and passkeys')
    .action((email: string, options: Printing) =>
      runAndPrint(terminal, peopleCommands['people second-factor-off'], { email, ...options }),
    );
}

function readEmail(text: string): string {
  const read = Email.safeParse(text);
  if (!read.success) throw new Error(`${text} is not an email address like ada@example.com.`);
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
  if (!person) throw new Error(`Nobody signs in with ${email}. "people list" shows everybody who does.`);
  return person;
}

async function openContext(deps: AdminDeps, { workspace }: OfWorkspace): Promise<OperatorContext> {
  const { db, clock, wakeups, address } = deps;
  const { id: workspaceId } = await findNamed(deps, workspace);
  return { db, clock, wakeups, address, workspaceId, personId: null };
}

function notIn({ email, workspace }: OfWorkspace): string {
  const named = workspace === undefined ? '' : ` ${workspace}`;
  return `${email} is not in the workspace${named}. "people list" shows its people.`;
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

/** A person as operators see it. */
interface PersonSummary {
  id: string;
  email: string;
  name: string;
  workspaces: { name: string; role: Role }[];
  second_factor: boolean;
  passkeys: number;
  created_at: Date;
}

/** Returns all people with their workspaces, the earliest to join first. */
async function listPeople(deps: Pick<Deps, 'db'>): Promise<PersonSummary[]> {
  const db = acrossWorkspaces(deps, 'an operator sees all people');
  const people = await db
    .selectFrom('people')
    .select(['id', 'email', 'name', 'created_at'])
    .select(({ eb, selectFrom }) => [
      eb('second_factor', 'is not', null).as('second_factor'),
      selectFrom('passkeys')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('person_id', '=', 'people.id')
        .as('passkeys'),
    ])
    .orderBy('id')
    .execute();
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['person_id', 'workspaces.name', 'role'])
    .orderBy('workspaces.id')
    .execute();
  const workspaces = Map.groupBy(memberships, ({ person_id }) => person_id);
  return people.map(({ id, email, name, created_at, second_factor, passkeys }) => ({
    id,
    email,
    name,
    workspaces: (workspaces.get(id) ?? []).map((membership) => ({
      name: membership.name,
      role: membership.role,
    })),
    second_factor: Boolean(second_factor),
    passkeys: Number(passkeys),
    created_at,
  }));
}
