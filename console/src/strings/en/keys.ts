function countUses(webhooks: number, drafts: number): string {
  const parts = [
    ...(webhooks > 0 ? [webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`] : []),
    ...(drafts > 0 ? [drafts === 1 ? '1 scheduled draft' : `${drafts} scheduled drafts`] : []),
  ];
  return parts.join(' and ');
}

/** The page of API keys. */
export const keysText = {
  title: 'API keys',
  about: 'A key gives an agent access to this workspace: to everything, or to what you limit it to.',
  create: 'Create a key',
  columns: {
    name: 'Name',
    scope: 'Inboxes',
    limits: 'May send',
    expires: 'Expires',
    creator: 'Created by',
    created: 'Created',
    used: 'Last used',
    actions: 'Actions',
  },
  byServer: 'The server',
  neverUsed: 'Never',
  revoked: 'Revoked',
  scope: (count: number) => (count === 1 ? '1 inbox' : `${count} inboxes`),
  readOnly: 'Reads only',
  never: 'Never',
  expired: 'Expired',
  openDetails: (name: string) => `Limits of ${name}`,
  limits: {
    inboxes: 'Inboxes',
    inboxesHelp: 'To a key for some inboxes, nothing else in the workspace exists.',
    allInboxes: 'All inboxes',
    someInboxes: 'Some inboxes',
    chosenInboxes: 'Inboxes of the key',
    chooseInboxes: 'Choose at least one inbox',
    readOnly: 'Read only',
    readOnlyHelp: 'The key changes nothing and sends nothing.',
    expiry: 'Expires',
    expiryHelp: 'From then on, every request with the key is refused.',
    expiries: { never: 'Never', days30: '30 days', days90: '90 days', date: 'Date' },
    expiryDate: 'Date and time of the end',
    policy: 'What it may send',
  },
  details: {
    id: 'Id',
    save: 'Save',
    saved: (name: string) => `The limits of “${name}” hold from now on.`,
  },
  empty: {
    title: 'No API keys yet',
    message: 'Create a key, and give it to your agent. One request then gives it an address of its own.',
  },
  newKey: {
    title: 'Create an API key',
    name: 'Name',
    nameHelp: 'What the key is for, such as the name of an agent.',
    namePlaceholder: 'support-agent',
    submit: 'Create',
  },
  shown: {
    title: 'Your new API key',
    once: 'Copy the key now. It is not shown again.',
    key: 'API key',
    environment: 'For the environment of your agent',
    try: 'Try it',
    done: 'Done',
  },
  revoke: {
    label: (name: string) => `Revoke ${name}`,
    button: 'Revoke',
    title: (name: string) => `Revoke “${name}”?`,
    message: 'Every request with this key fails from now on. This cannot be undone.',
    works: (webhooks: number, drafts: number) => `It has set up ${countUses(webhooks, drafts)}.`,
    whatOf: 'What becomes of them?',
    stop: 'Stop them: disable the webhooks, and take the time from the drafts',
    keep: 'Keep them: they go on without the key',
    confirm: 'Revoke the key',
    done: (name: string) => `“${name}” is revoked.`,
  },
};
