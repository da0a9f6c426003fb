import type { Role } from '@postrider/contract/console';
import { policyText } from './sending.ts';

function missing(from: string, to: string): string {
  return from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
}

/** The page of the audit log. */
export const auditText = {
  title: 'Audit log',
  about: 'Who changed what in this workspace. Entries are kept for a year, and nobody can change them here.',
  download: 'Download',
  open: (sentence: string) => `Show the entry “${sentence}”`,
  unknownAction: (action: string) => action.replaceAll(/[._]/g, ' '),
  columns: { when: 'When', who: 'Who', what: 'What', address: 'From' },
  keyNamed: (name: string) => `API key “${name}”`,
  tokenNamed: (name: string) => `Admin token “${name}”`,
  actors: {
    operator: 'The operator',
    server: 'The server',
    person: 'Somebody who left',
    key: 'An API key',
    token: 'An admin token',
  },
  filters: { person: 'Person', anybody: 'Everybody', action: 'Action', anyAction: 'All actions' },
  changed: (before: string, after: string) => `${before} → ${after}`,
  time: 'Time',
  target: 'Id',
  address: 'IP address',
  request: 'Request',
  actor: 'Id of the actor',
  code: 'Action',
  number: 'Number',
  hash: 'Hash',
  chain: {
    label: 'The chain of entries',
    checking: 'Checking whether any entry was changed…',
    intact: (entries: string, since: string) => `Chain intact: ${entries} since ${since}`,
    entries: (count: string) => `${count} entries`,
    entry: '1 entry',
    empty: 'Chain intact: there are no entries at the moment',
    lastHash: 'Last hash',
    copyHash: 'Copy the last hash',
    broken: 'The audit log was changed from outside',
    places: {
      changed: (from: string) => `Entry ${from} was changed.`,
      unlinked: (from: string) =>
        `Entry ${from} does not match the entries next to it. One of them was replaced.`,
      gap: missing,
      missing_beginning: (from: string, to: string) => `${missing(from, to)} They are the oldest.`,
      missing_end: (from: string, to: string) => `${missing(from, to)} They are the newest.`,
      unexpected: (from: string) =>
        `Entry ${from} was inserted, or the record of the first and last entry was changed.`,
    },
    advice:
      'Something other than this server has changed its database. Download the log, and ask the operator who had access.',
  },
  empty: {
    title: 'No changes yet',
    message: 'Changes such as new keys, invitations and roles are recorded here.',
  },
};

const { lines, modes, recipients } = policyText;

/** The names of fields and values in the audit log. */
export const auditValues = {
  fields: {
    name: 'Name',
    role: 'Role',
    email: 'Email',
    hint: 'Key',
    reason: 'Reason',
    disclosure: 'Disclosure',
    policy: 'Policy',
    inbox_ids: 'Inboxes',
    read_only: 'Read only',
    expires_at: 'Expires',
    rights: 'Rights',
    decided_by: 'Decided by',
    url: 'URL',
    events: 'Events',
    enabled: 'Enabled',
    hostname: 'Domain',
    address: 'Address',
    ...Object.fromEntries(Object.entries(lines).map(([line, { name }]) => [line, name])),
  } as Record<string, string>,
  /** Values of fields that are not names themselves. */
  names: {
    send: Object.fromEntries(Object.entries(modes).map(([mode, { short }]) => [mode, short])),
    recipients: { anyone: recipients.anyone.name, known: recipients.known.name },
    disclosure: { none: 'no mark', header: 'a header', footer: 'a line below the text' },
    read_only: { true: 'Yes', false: 'No' },
    enabled: { true: 'Yes', false: 'No' },
  } as Record<string, Record<string, string>>,
  line: (name: string, value: string) => `${name}: ${value}`,
  notSet: 'not set',
  empty: 'none',
};

const roles: Record<Role, string> = { owner: 'an owner', member: 'a member' };
const roleText = (role: string) => (role === 'owner' || role === 'member' ? roles[role] : role);

const allowsOrBlocks = (kind: string) => (kind === 'allow' ? 'Allowed' : 'Blocked');

/** The name of an action in the filter, and the words of an entry. The fields are those that the entry has. */
type ActionText = [name: string, says: (entry: ActionFields) => string];

/** The subject of an entry, as far as it is known. */
export interface ActionFields {
  /** The person or thing that was changed, in plain words. */
  target: string;
  /** Returns a value as a text; without one the second text, by default an ellipsis. */
  before(field: string, otherwise?: string): string;
  after(field: string, otherwise?: string): string;
}

/** Every action that the server records. */
export const auditActions: Record<string, ActionText> = {
  'key.created': ['API key created', ({ after }) => `Created the API key “${after('name')}”`],
  'key.changed': ['API key changed', ({ target, after }) => `Changed the API key ${after('name', target)}`],
  'key.revoked': ['API key revoked', ({ before }) => `Revoked the API key “${before('name')}”`],
  'admin_token.created': ['Admin token created', ({ after }) => `Created the admin token “${after('name')}”`],
  'admin_token.revoked': [
    'Admin token revoked',
    ({ before }) => `Revoked the admin token “${before('name')}”`,
  ],
  'workspace.created': ['Workspace created', ({ after }) => `Created the workspace “${after('name')}”`],
  'member.invited': [
    'Person invited',
    ({ after }) => `Invited ${after('email')} as ${roleText(after('role'))}`,
  ],
  'member.invitation_revoked': [
    'Invitation revoked',
    ({ before }) => `Revoked the invitation of ${before('email')}`,
  ],
  'member.joined': ['Person joined', ({ after }) => `${after('email')} joined as ${roleText(after('role'))}`],
  'member.role_changed': [
    'Role changed',
    ({ target, before, after }) => `Changed the role of ${target} from ${before('role')} to ${after('role')}`,
  ],
  'member.removed': [
    'Person removed',
    ({ target, before }) => `Removed ${target}, who was ${roleText(before('role'))}`,
  ],
  'person.reset_link_made': [
    'Password reset link created',
    ({ target }) => `Created a password reset link for ${target}`,
  ],
  'person.second_factor_removed': [
    'Second factor removed',
    ({ target }) => `Removed the second factor of ${target}`,
  ],
  'person.signed_in': ['Signed in', ({ target, after }) => `${target} signed in with ${after('method')}`],
  'person.locked_out': [
    'Too many wrong guesses',
    ({ target, after }) =>
      `Too many wrong guesses of the ${after('guessed')} of ${target}; further guesses are refused for a while`,
  ],
  'person.password_changed': ['Password changed', ({ target }) => `${target} changed their password`],
  'person.password_reset': [
    'Password reset with a link',
    ({ target }) => `${target} set a new password with a link, and their passkeys were removed`,
  ],
  'person.passkey_added': [
    'Passkey added',
    ({ target, after }) => `${target} added the passkey “${after('name')}”`,
  ],
  'person.passkey_removed': [
    'Passkey removed',
    ({ target, before }) => `${target} removed the passkey “${before('name')}”`,
  ],
  'person.second_factor_added': ['Second factor added', ({ target }) => `${target} added a second factor`],
  'policy.workspace_changed': [
    'Policy of the workspace changed',
    () => 'Changed the policy of the workspace',
  ],
  'policy.inbox_changed': [
    'Policy of an inbox changed',
    ({ target }) => `Changed the policy of the inbox ${target}`,
  ],
  'policy.key_changed': [
    'Policy of a key changed',
    ({ target }) => `Changed the policy of the key ${target}`,
  ],
  'sending.workspace_paused': ['Workspace paused', () => 'Paused sending for the workspace'],
  'sending.workspace_resumed': ['Workspace resumed', () => 'Resumed sending for the workspace'],
  'sending.inbox_paused': ['Inbox paused', ({ target }) => `Paused sending from the inbox ${target}`],
  'sending.inbox_resumed': ['Inbox resumed', ({ target }) => `Resumed sending from the inbox ${target}`],
  'sending.key_paused': ['Key paused', ({ target }) => `Paused sending with the key ${target}`],
  'sending.key_resumed': ['Key resumed', ({ target }) => `Resumed sending with the key ${target}`],
  'sending.server_paused': ['Server paused', () => 'Paused sending for the server'],
  'sending.server_resumed': ['Server resumed', () => 'Resumed sending for the server'],
  'approval.approved': ['Message approved', ({ target }) => `Approved the message ${target}`],
  'approval.refused': ['Message refused', ({ target }) => `Refused the message ${target}`],
  'approval.expired': ['Approval expired', ({ target }) => `The message ${target} was not approved in time`],
  'inbox.deleted': [
    'Inbox deleted',
    ({ target, before }) => `Deleted the inbox ${before('address', target)}`,
  ],
  'domain.added': ['Domain added', ({ after }) => `Added the domain ${after('hostname')}`],
  'domain.subdomain_added': [
    'Subdomain added',
    ({ after }) => `Added the dedicated subdomain ${after('hostname', after('label'))}`,
  ],
  'domain.status_changed': [
    'Domain status changed',
    ({ target, before, after }) =>
      `The status of the domain ${after('hostname', target)} changed from ${before('status')} to ${after('status')}`,
  ],
  'domain.dmarc_changed': [
    'DMARC policy changed',
    ({ target, after }) => `Set the DMARC policy of ${after('hostname', target)} to ${after('policy')}`,
  ],
  'domain.deleted': [
    'Domain deleted',
    ({ target, before }) => `Deleted the domain ${before('hostname', target)}`,
  ],
  'rule.created': [
    'Rule for outgoing mail created',
    ({ after }) => `${allowsOrBlocks(after('kind'))} mail to ${after('pattern')} with a rule`,
  ],
  'rule.deleted': [
    'Rule for outgoing mail deleted',
    ({ before }) => `Deleted the rule to ${before('kind')} mail to ${before('pattern')}`,
  ],
  'webhook.created': ['Webhook created', ({ after }) => `Created the webhook ${after('url')}`],
  'webhook.changed': [
    'Webhook changed',
    ({ target, after }) => `Changed the webhook ${after('url', target)}`,
  ],
  'webhook.disabled': [
    'Webhook disabled',
    ({ target, after }) => `Disabled the webhook ${after('url', target)}, which failed for 5 days`,
  ],
  'webhook.secret_rotated': [
    'Secret of a webhook rotated',
    ({ target, after }) => `Rotated the secret of the webhook ${after('url', target)}`,
  ],
  'webhook.deleted': [
    'Webhook deleted',
    ({ target, before }) => `Deleted the webhook ${before('url', target)}`,
  ],
  'workspace.renamed': [
    'Workspace renamed',
    ({ before, after }) =>
      `Renamed the workspace from “${before('title', before('name'))}” to “${after('title', after('name'))}”`,
  ],
  'workspace.deleted': [
    'Workspace deleted',
    ({ before }) => `Deleted the workspace “${before('title', before('name'))}”`,
  ],
  'workspace.plan_changed': [
    'Plan changed',
    ({ before, after }) => `Changed the plan from ${before('plan')} to ${after('plan')}`,
  ],
  'workspace.disclosure_changed': [
    'Disclosure changed',
    ({ before, after }) =>
      `Changed the AI disclosure of messages from ${before('disclosure')} to ${after('disclosure')}`,
  ],
  'audit.broken': [
    'Broken log found',
    ({ after }) =>
      `Entries ${after('from_seq')} to ${after('to_seq')} were inconsistent when they were removed after a year`,
  ],
};
