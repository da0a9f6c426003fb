import type { Role } from '@postrider/contract/console';

const roles: Record<Role, string> = { owner: 'an owner', member: 'a member' };
const roleText = (role: string) => (role === 'owner' || role === 'member' ? roles[role] : role);

/** What an action is called in the filter, and what an entry of it says. The fields are those that the entry has. */
interface ActionText {
  name: string;
  says(fields: ActionFields): string;
}

/** What an entry is about, as far as it is known. */
export interface ActionFields {
  /** The person or thing that was changed, in plain words. */
  target: string;
  before(field: string): string;
  after(field: string): string;
}

/** Every action that the server records. */
const actions: Record<string, ActionText> = {
  'key.created': {
    name: 'API key created',
    says: ({ after }) => `Created the API key “${after('name')}”`,
  },
  'key.revoked': {
    name: 'API key revoked',
    says: ({ before }) => `Revoked the API key “${before('name')}”`,
  },
  'member.invited': {
    name: 'Person invited',
    says: ({ after }) => `Invited ${after('email')} as ${roleText(after('role'))}`,
  },
  'member.invitation_revoked': {
    name: 'Invitation revoked',
    says: ({ before }) => `Revoked the invitation of ${before('email')}`,
  },
  'member.joined': {
    name: 'Person joined',
    says: ({ after }) => `${after('email')} joined as ${roleText(after('role'))}`,
  },
  'member.role_changed': {
    name: 'Role changed',
    says: ({ target, before, after }) =>
      `Made ${target} ${roleText(after('role'))}, who was ${roleText(before('role'))}`,
  },
  'member.removed': {
    name: 'Person removed',
    says: ({ target, before }) => `Removed ${target}, who was ${roleText(before('role'))}`,
  },
  'person.reset_link_made': {
    name: 'Link for a new password made',
    says: ({ target }) => `Made a link for a new password of ${target}`,
  },
  'person.second_factor_removed': {
    name: 'Second factor removed',
    says: ({ target }) => `Removed the second factor of ${target}`,
  },
  'inbox.deleted': {
    name: 'Inbox deleted',
    says: ({ target }) => `Deleted the inbox ${target}`,
  },
  'domain.added': {
    name: 'Domain added',
    says: ({ after }) => `Added the domain ${after('hostname')}`,
  },
  'domain.subdomain_added': {
    name: 'Subdomain added',
    says: ({ after }) => `Added the dedicated subdomain ${after('label')}`,
  },
  'domain.dmarc_changed': {
    name: 'DMARC policy changed',
    says: ({ target, after }) => `Set the DMARC policy of ${target} to ${after('policy')}`,
  },
  'domain.deleted': {
    name: 'Domain deleted',
    says: ({ target }) => `Deleted the domain ${target}`,
  },
  'webhook.created': {
    name: 'Webhook created',
    says: ({ after }) => `Created the webhook ${after('url')}`,
  },
  'webhook.changed': {
    name: 'Webhook changed',
    says: ({ target }) => `Changed the webhook ${target}`,
  },
  'webhook.secret_rotated': {
    name: 'Secret of a webhook rotated',
    says: ({ target }) => `Rotated the secret of the webhook ${target}`,
  },
  'webhook.deleted': {
    name: 'Webhook deleted',
    says: ({ target }) => `Deleted the webhook ${target}`,
  },
  'workspace.renamed': {
    name: 'Workspace renamed',
    says: ({ before, after }) => `Renamed the workspace from “${before('name')}” to “${after('name')}”`,
  },
};

/** The page of the audit log. */
export const auditText = {
  title: 'Audit log',
  about: 'Who changed what in this workspace. Entries are kept for a year, and nobody can change them here.',
  actions,
  unknownAction: (action: string) => action.replaceAll(/[._]/g, ' '),
  columns: { when: 'When', who: 'Who', what: 'What', address: 'From' },
  actors: { operator: 'The operator', server: 'The server', person: 'Somebody who left', key: 'An API key' },
  filters: {
    label: 'Filters of the audit log',
    person: 'Person',
    anybody: 'Everybody',
    action: 'Action',
    anyAction: 'All actions',
  },
  changed: (before: string, after: string) => `${before} → ${after}`,
  time: 'Time',
  target: 'Id',
  address: 'IP address',
  request: 'Request',
  code: 'Action',
  fields: { name: 'Name', role: 'Role', email: 'Email', hint: 'Key' } as Record<string, string>,
  empty: {
    title: 'Nothing was changed yet',
    message: 'When people create keys, invite others or change roles, it is written down here.',
  },
};
