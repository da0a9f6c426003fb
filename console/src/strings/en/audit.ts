function missing(from: string, to: string): string {
  return from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
}

/** The page of the audit log. */
export const auditText = {
  title: 'Audit log',
  about: 'Who changed what in this workspace. Entries are kept for a year, and nobody can change them here.',
  download: 'Download',
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
  actor: 'Id of the actor',
  code: 'Action',
  number: 'Number',
  hash: 'Hash',
  chain: {
    label: 'The chain of entries',
    checking: 'Checking that no entry was changed…',
    intact: (entries: string, since: string) => `Chain intact: ${entries} since ${since}`,
    entries: (count: string) => `${count} entries`,
    entry: '1 entry',
    empty: 'Chain intact: no entries are kept at the moment',
    lastHash: 'Last hash',
    copyHash: 'Copy the last hash',
    broken: 'The audit log was changed from outside',
    places: {
      changed: (from: string) => `Entry ${from} was changed.`,
      unlinked: (from: string) =>
        `Entry ${from} does not fit the entries next to it. One of them was replaced.`,
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
    title: 'Nothing was changed yet',
    message: 'When people create keys, invite others or change roles, it is written down here.',
  },
};
