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
    keep: 'Keep them: they stay active without the key',
    confirm: 'Revoke the key',
    done: (name: string) => `“${name}” is revoked.`,
  },
};

/** The page of admin tokens. */
export const adminTokensText = {
  title: 'Admin tokens',
  about:
    'A token lets a program of yours do what you do here: make keys, set policies, decide about held messages. It acts for you, and stops when you are no owner any more.',
  create: 'Create a token',
  off: 'This server has closed the management API (POSTRIDER_MANAGEMENT=off). Tokens are refused until it is open.',
  columns: {
    name: 'Name',
    rights: 'May',
    maker: 'Acts for',
    expires: 'Expires',
    used: 'Last used',
    actions: 'Actions',
  },
  neverUsed: 'Never',
  revoked: 'Revoked',
  expired: 'Expired',
  unbacked: 'Stopped: its maker is no owner',
  rights: {
    keys: { name: 'API keys', help: 'Create, limit and revoke keys.', warning: 'Keys read mail.' },
    policies: { name: 'Policies', help: 'Say what may be sent, by whom and to whom.', warning: '' },
    pauses: { name: 'Pauses', help: 'Stop sending, and let it go on.', warning: '' },
    approvals: {
      name: 'Approvals',
      help: 'Decide about held messages.',
      warning: 'It reads the messages that wait.',
    },
    people: {
      name: 'People',
      help: 'Invite and remove members, and no owners.',
      warning: 'Members read mail.',
    },
    webhooks: { name: 'Webhooks', help: 'Have events posted to a URL.', warning: 'They carry mail.' },
    domains: { name: 'Domains', help: 'Add and check sending domains.', warning: '' },
    usage: { name: 'Usage', help: 'Read what the workspace used.', warning: '' },
    workspaces: { name: 'Workspace', help: 'Change its title.', warning: '' },
  },
  newToken: {
    title: 'Create an admin token',
    name: 'Name',
    nameHelp: 'The program that it is for.',
    namePlaceholder: 'billing-back-end',
    rights: 'What it may do',
    rightsHelp: 'Give it what the program needs, and no more.',
    chooseRights: 'Choose at least one',
    expiry: 'Expires after',
    expiryHelp: 'From then on, every request with the token is refused.',
    days: { 30: '30 days', 90: '90 days', 365: 'A year' },
    submit: 'Create',
  },
  shown: {
    title: 'Your new admin token',
    once: 'Copy the token now. It is not shown again.',
    token: 'Admin token',
    try: 'Try it',
    done: 'Done',
  },
  revoke: {
    label: (name: string) => `Revoke ${name}`,
    button: 'Revoke',
    title: (name: string) => `Revoke “${name}”?`,
    message:
      'Every request with this token fails from now on. What it has made stays. This cannot be undone.',
    confirm: 'Revoke the token',
    done: (name: string) => `“${name}” is revoked.`,
  },
  empty: {
    title: 'No admin tokens yet',
    message:
      'Create one for a program that makes keys for your customers, or for a chat in which your team approves mail. Agents need none: give them API keys.',
  },
};
