/* The routes of the management API: those of the console, with descriptions for programs. */
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
    description: 'Lists the keys of the workspace, newest first, including revoked ones.',
  }),
  create: managed(consoleKeys.create, {
    rights: ['keys'],
    summary: 'Create an API key',
    description:
      'Returns the key, which is shown only once. A policy that allows more than that of the workspace also requires the right `policies`.',
    errors: ['limit_reached'],
  }),
  update: managed(consoleKeys.update, {
    rights: ['keys'],
    summary: 'Change an API key',
    description:
      'Changes the name or the limits of the key, at once. A new policy replaces the whole old one. One that is looser than the old one, or than the policy of the workspace, also requires the right `policies`.',
  }),
  works: managed(consoleKeys.works, {
    rights: ['keys'],
    summary: 'List the webhooks and drafts of a key',
    description:
      'Lists the enabled webhooks and the scheduled drafts of the key. They keep running without it.',
  }),
  revoke: managed(consoleKeys.revoke, {
    rights: ['keys'],
    summary: 'Revoke an API key',
    description:
      'Every later request with the key is refused. Unless `keep` is true, its webhooks are disabled and its drafts are no longer scheduled.',
  }),
});

/** Routes of members and invitations. */
export const people = c.router({
  members: managed(consolePeople.members, {
    rights: ['people'],
    summary: 'List the members of the workspace',
    description: 'Lists the members in the order in which they joined.',
  }),
  setRole: managed(consolePeople.setRole, {
    rights: ['people'],
    summary: 'Set the role of a member',
    description: 'A token cannot change the role of an owner, or make anyone an owner.',
    errors: ['owner_only'],
  }),
  removeMember: managed(consolePeople.removeMember, {
    rights: ['people'],
    summary: 'Remove a member',
    description: "The person's sessions end at once. A token cannot remove an owner.",
    errors: ['owner_only'],
  }),
  invitations: managed(consolePeople.invitations, {
    rights: ['people'],
    summary: 'List invitations',
    description: 'Lists the invitations that can still be accepted, newest first.',
  }),
  invite: managed(consolePeople.invite, {
    rights: ['people'],
    summary: 'Invite a member',
    description: 'Returns the link, which is shown only once. A token can invite members, but not owners.',
    errors: ['limit_reached', 'owner_only', 'already_member'],
  }),
  revokeInvitation: managed(consolePeople.revokeInvitation, {
    rights: ['people'],
    summary: 'Revoke an invitation',
    description: 'The link of the invitation stops working.',
    errors: ['owner_only'],
  }),
});

/** Routes of the control of sending. */
export const control = c.router({
  get: managed(consoleControl.get, {
    rights: ['policies', 'pauses'],
    summary: 'Get the settings of the whole workspace',
    description:
      'Returns the policy of the workspace, its disclosure, all active pauses, and the mail that waits for them to end.',
  }),
  setDisclosure: managed(consoleControl.setDisclosure, {
    rights: ['policies'],
    summary: 'Set the disclosure',
    description: 'Sets whether recipients are told that an AI wrote a message.',
  }),
  policies: managed(consoleControl.policies, {
    rights: ['policies'],
    summary: 'List policies',
    description: 'Lists the policies of inboxes and keys, most recently changed first.',
  }),
  effective: managed(consoleControl.effective, {
    rights: ['policies'],
    summary: 'Get the effective policy of a key and an inbox',
    description: 'Returns the strictest value of each setting, and where it is set.',
  }),
  setPolicy: managed(consoleControl.setPolicy, {
    rights: ['policies'],
    summary: 'Set a policy',
    description: 'Replaces the previous policy. A policy without settings removes it.',
  }),
  pause: managed(consoleControl.pause, {
    rights: ['pauses'],
    summary: 'Pause sending',
    description: 'Responds once no more mail is being handed to a relay. Pausing again changes nothing.',
  }),
  resume: managed(consoleControl.resume, {
    rights: ['pauses'],
    summary: 'Resume sending',
    description: 'Waiting mail is sent, unless it has expired.',
  }),
});

/** A decision of people who are not signed in here. */
export const DecideForPeople = DecideApprovals.extend({
  decided_by: nameField(consoleLimits.decidedByCharactersMax).meta(
    about(
      'The person who decided, in your words. The audit log records it with the token.',
      'Ada Lovelace (chat user U17)',
    ),
  ),
}).meta({ id: 'DecideForPeople' });

/** Routes of approvals. */
export const approvals = c.router({
  list: managed(consoleApprovals.list, {
    rights: ['approvals'],
    summary: 'List held messages',
    description: 'Lists the messages that need or needed approval, newest first.',
  }),
  get: managed(consoleApprovals.get, {
    rights: ['approvals'],
    summary: 'Get a held message',
    description:
      'Returns everything that people see before they decide: what is sent, to whom, and the message that it replies to.',
  }),
  decide: managed(
    { ...consoleApprovals.decide, body: DecideForPeople },
    {
      rights: ['approvals'],
      summary: 'Approve or refuse messages',
      description:
        'Requires the `content_hash` of each message, so people approve exactly what they saw. Each decision is made separately: `results` says which of them took effect.',
    },
  ),
});

/** Routes of what the workspace used. */
export const usage = c.router({
  get: managed(records.usage, {
    rights: ['usage'],
    summary: 'Get the usage by day',
    description: 'Returns the last days in UTC, oldest first, including today.',
  }),
});

/** Routes of the workspace itself. */
export const workspace = c.router({
  update: managed(consoleWorkspace.update, {
    rights: ['workspaces'],
    summary: 'Change the title of the workspace',
    description: 'Changes the title only; the name that the operator uses stays the same.',
  }),
});

const operatorOnly = 'Requires a token of the operator.';

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
    description: `If a workspace has this name already, it is returned unchanged, with 200. ${operatorOnly}`,
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
    description: `Changes the name or the plan of the workspace. ${operatorOnly}`,
  }),
  delete: managed(operatorWorkspaces.delete, {
    rights: ['workspaces'],
    isForOperator: true,
    summary: 'Delete a workspace',
    description:
      'Sending stops at once, keys and tokens are refused, and all members lose access. Mail and files are removed in the ' +
      `background. ${operatorOnly}`,
  }),
});

/** Routes of webhooks, as the API has them. */
export const webhooks = managedAll(apiWebhooks, 'webhooks');

/** Routes of domains, as the API has them. */
export const domains = managedAll(apiDomains, 'domains');
