import { policyText } from './policy.ts';

const { lines, modes, recipients } = policyText;

/** How the audit log calls fields and values. */
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
    read_only: 'Reads only',
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
  /** Values of fields that are no names themselves. */
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
