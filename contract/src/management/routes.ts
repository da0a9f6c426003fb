/* The routes of the management API: those of the console, with what programs are told about them. */
import { initContract } from '@ts-rest/core';
import { approvals as consoleApprovals, DecideApprovals } from '../console/approvals.ts';
import { workspace as consoleWorkspace } from '../console/audit.ts';
import { control as consoleControl } from '../console/control.ts';
import { consoleLimits, nameField } from '../console/fields.ts';
import { keys as consoleKeys } from '../console/keys.ts';
import { people as consolePeople } from '../console/people.ts';
import { records } from '../console/records.ts';
import { domains as apiDomains } from '../domains.ts';
import { about } from '../fields/scalars.ts';
import { webhooks as apiWebhooks } from '../webhooks.ts';
import { managed, managedAll } from './managed.ts';
import { workspaces as operatorWorkspaces } from './workspaces.ts';

const c = initContract();

/** Routes of API keys. */
export const keys = c.router({
  list: managed(consoleKeys.list, {
    rights: ['keys'],
    summary: 'List API keys',
    description: 'The keys of the workspace, revoked ones too, newest first.',
  }),
  create: managed(consoleKeys.create, {
    rights: ['keys'],
    summary: 'Create an API key',
    description:
      'Returns the key, once. A line of its policy that allows more than the policy of the workspace needs the right `policies` as well.',
    errors: ['limit_reached'],
  }),
  update: managed(consoleKeys.update, {
    rights: ['keys'],
    summary: 'Change an API key',
    description: 'Changes its name or its limits, from now on. The policy is replaced as a whole.',
  }),
  works: managed(consoleKeys.works, {
    rights: ['keys'],
    summary: 'List what a key has set up',
    description: 'Its enabled webhooks and its scheduled drafts, which go on by themselves.',
  }),
  revoke: managed(consoleKeys.revoke, {
    rights: ['keys'],
    summary: 'Revoke an API key',
    description:
      'From the next request on it is refused. Without `keep`, its webhooks are disabled and its drafts are no longer scheduled.',
  }),
});

/** Routes of members and invitations. */
export const people = c.router({
  members: managed(consolePeople.members, {
    rights: ['people'],
    summary: 'List the members of the workspace',
    description: 'In the order in which they joined.',
  }),
  setRole: managed(consolePeople.setRole, {
    rights: ['people'],
    summary: 'Set the role of a member',
    description: 'A token touches no owner and makes none.',
    errors: ['owner_only'],
  }),
  removeMember: managed(consolePeople.removeMember, {
    rights: ['people'],
    summary: 'Remove a member',
    description: 'The sessions of the person end at once. A token touches no owner.',
    errors: ['owner_only'],
  }),
  invitations: managed(consolePeople.invitations, {
    rights: ['people'],
    summary: 'List invitations',
    description: 'Those that can still be accepted, newest first.',
  }),
  invite: managed(consolePeople.invite, {
    rights: ['people'],
    summary: 'Invite a member',
    description: 'Returns the link, once. A token invites members only.',
    errors: ['limit_reached', 'owner_only', 'already_member'],
  }),
  revokeInvitation: managed(consolePeople.revokeInvitation, {
    rights: ['people'],
    summary: 'Take an invitation back',
    description: 'Its link no longer works.',
    errors: ['owner_only'],
  }),
});

/** Routes of the control of sending. */
export const control = c.router({
  get: managed(consoleControl.get, {
    rights: ['policies', 'pauses'],
    summary: 'Get what holds for the whole workspace',
    description: 'Its policy, its disclosure, all pauses in force, and the mail that waits for their end.',
  }),
  setDisclosure: managed(consoleControl.setDisclosure, {
    rights: ['policies'],
    summary: 'Set the disclosure',
    description: 'Whether recipients are told that an AI wrote a message.',
  }),
  policies: managed(consoleControl.policies, {
    rights: ['policies'],
    summary: 'List policies',
    description: 'Those of inboxes and keys, the one changed last first.',
  }),
  effective: managed(consoleControl.effective, {
    rights: ['policies'],
    summary: 'Get what holds for a key and an inbox',
    description: 'Of each line the strictest, and where it is set.',
  }),
  setPolicy: managed(consoleControl.setPolicy, {
    rights: ['policies'],
    summary: 'Set a policy',
    description: 'Takes the place of the policy before. Without lines there is none.',
  }),
  pause: managed(consoleControl.pause, {
    rights: ['pauses'],
    summary: 'Pause sending',
    description: 'Responds once nothing more is handed to a relay. A second pause changes nothing.',
  }),
  resume: managed(consoleControl.resume, {
    rights: ['pauses'],
    summary: 'Resume sending',
    description: 'What waited goes on, unless it has expired.',
  }),
});

/** A decision of people who are not signed in here. */
export const DecideForPeople = DecideApprovals.extend({
  decided_by: nameField(consoleLimits.decidedByCharactersMax).meta(
    about(
      'Who decided, in your words. The audit log has it beside the token.',
      'Ada Lovelace (chat user U17)',
    ),
  ),
}).meta({ id: 'DecideForPeople' });

/** Routes of approvals. */
export const approvals = c.router({
  list: managed(consoleApprovals.list, {
    rights: ['approvals'],
    summary: 'List held messages',
    description: 'The messages that wait or waited for approval, newest first.',
  }),
  get: managed(consoleApprovals.get, {
    rights: ['approvals'],
    summary: 'Get a held message',
    description: 'All that people see before they decide: what goes out, to whom, and what it answers.',
  }),
  decide: managed(
    { ...consoleApprovals.decide, body: DecideForPeople },
    {
      rights: ['approvals'],
      summary: 'Approve or refuse messages',
      description:
        'Takes the `content_hash` of each message that was shown, so what is approved is what people saw. Each is decided about alone: `results` says which decisions count.',
    },
  ),
});

/** Routes of what the workspace used. */
export const usage = c.router({
  get: managed(records.usage, {
    rights: ['usage'],
    summary: 'Get the usage by day',
    description: 'The last days in UTC, oldest first, today included.',
  }),
});

/** Routes of the workspace itself. */
export const workspace = c.router({
  update: managed(consoleWorkspace.update, {
    rights: ['workspaces'],
    summary: 'Change the title of the workspace',
    description: 'Its name, by which the operator knows it, stays.',
  }),
});

const operatorOnly = 'Only for tokens of the operator.';

/** Routes of workspaces. */
export const workspaces = c.router({
  list: managed(operatorWorkspaces.list, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'List workspaces',
    description: `Newest first. ${operatorOnly}`,
  }),
  create: managed(operatorWorkspaces.create, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'Create a workspace',
    description: `One of this name that is there already is returned as it is, with 200. ${operatorOnly}`,
  }),
  get: managed(operatorWorkspaces.get, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'Get a workspace',
    description: operatorOnly,
  }),
  update: managed(operatorWorkspaces.update, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'Change a workspace',
    description: `Gives it another name, or puts it on another plan. ${operatorOnly}`,
  }),
  delete: managed(operatorWorkspaces.delete, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'Delete a workspace',
    description:
      'Sending stops at once, its keys and tokens are refused, and nobody is in it any more. Its mail and files are removed in the ' +
      `background. ${operatorOnly}`,
  }),
});

/** Routes of webhooks, as the API has them. */
export const webhooks = managedAll(apiWebhooks, 'webhooks');

/** Routes of domains, as the API has them. */
export const domains = managedAll(apiDomains, 'domains');
