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
  about: 'A key gives an agent access to this workspace: to all of it, or only to what you choose.',
  create: 'Create a key',
  columns: {
    name: 'Name',
    scope: 'Inboxes',
    limits: 'Can send',
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
  readOnly: 'Read only',
  never: 'Never',
  expired: 'Expired',
  openDetails: (name: string) => `Limits of ${name}`,
  limits: {
    inboxes: 'Inboxes',
    inboxesHelp: 'A key for some inboxes cannot see anything else in the workspace.',
    allInboxes: 'All inboxes',
    someInboxes: 'Some inboxes',
    chosenInboxes: 'Inboxes of the key',
    chooseInboxes: 'Choose at least one inbox',
    readOnly: 'Read only',
    readOnlyHelp: 'The key cannot change or send anything.',
    expiry: 'Expires',
    expiryHelp: 'After this time, every request with the key is refused.',
    expiries: { never: 'Never', days30: '30 days', days90: '90 days', date: 'Date' },
    expiryDate: 'Expiry date and time',
    policy: 'What it can send',
  },
  details: { id: 'Id', save: 'Save', saved: (name: string) => `The limits of “${name}” apply from now on.` },
  empty: {
    title: 'No API keys yet',
    message: 'Create a key and give it to your agent. The agent then gets its own address with one request.',
  },
  newKey: {
    title: 'Create an API key',
    name: 'Name',
    nameHelp: 'The purpose of the key, such as the name of an agent.',
    namePlaceholder: 'support-agent',
    submit: 'Create',
  },
  shown: { title: 'Your new API key', key: 'API key', environment: 'For the environment of your agent' },
  revoke: {
    label: (name: string) => `Revoke ${name}`,
    button: 'Revoke',
    title: (name: string) => `Revoke “${name}”?`,
    message: 'From now on, every request with this key fails. This cannot be undone.',
    works: (webhooks: number, drafts: number) => `It created ${countUses(webhooks, drafts)}.`,
    whatOf: 'What should happen to them?',
    stop: 'Stop them: disable the webhooks and unschedule the drafts',
    keep: 'Keep them: they stay active without the key',
    confirm: 'Revoke the key',
    done: (name: string) => `“${name}” was revoked.`,
  },
};

/** The page of admin tokens. */
export const adminTokensText = {
  title: 'Admin tokens',
  about:
    'A token lets your program do what you can do here: create keys, set policies, decide on held messages. It acts for you, and stops working once you are no longer an owner.',
  create: 'Create a token',
  off: 'The management API is turned off on this server (POSTRIDER_MANAGEMENT=off). Tokens are refused until it is turned on.',
  columns: {
    name: 'Name',
    rights: 'Can',
    maker: 'Acts for',
    expires: 'Expires',
    used: 'Last used',
    actions: 'Actions',
  },
  neverUsed: 'Never',
  revoked: 'Revoked',
  expired: 'Expired',
  unbacked: 'Stopped: its creator is no longer an owner',
  rights: {
    keys: { name: 'API keys', help: 'Create, limit and revoke keys.', warning: 'Keys can read mail.' },
    policies: { name: 'Policies', help: 'Set what can be sent, by whom and to whom.', warning: '' },
    pauses: { name: 'Pauses', help: 'Pause and resume sending.', warning: '' },
    approvals: {
      name: 'Approvals',
      help: 'Decide on held messages.',
      warning: 'It can read the waiting messages, and the received mail that they reply to.',
    },
    people: {
      name: 'People',
      help: 'Invite and remove members, but not owners.',
      warning: 'Members can read mail.',
    },
    webhooks: { name: 'Webhooks', help: 'Have events posted to a URL.', warning: 'Events contain mail.' },
    domains: { name: 'Domains', help: 'Add and check sending domains.', warning: '' },
    usage: { name: 'Usage', help: 'Read the usage of the workspace.', warning: '' },
    workspaces: { name: 'Workspace', help: 'Change its title.', warning: '' },
  },
  newToken: {
    title: 'Create an admin token',
    name: 'Name',
    nameHelp: 'The program that uses the token.',
    namePlaceholder: 'billing-back-end',
    rights: 'What it can do',
    rightsHelp: 'Grant only what the program needs.',
    expiry: 'Expires after',
    expiryHelp: 'After this time, every request with the token is refused.',
    days: { 30: '30 days', 90: '90 days', 365: 'A year' },
    submit: 'Create',
  },
  shown: { title: 'Your new admin token', token: 'Admin token', try: 'Try it' },
  revoke: (name: string) => ({
    label: `Revoke ${name}`,
    button: 'Revoke',
    title: `Revoke “${name}”?`,
    message:
      'From now on, every request with this token fails. Everything it created stays. This cannot be undone.',
    confirm: 'Revoke the token',
    done: `“${name}” was revoked.`,
  }),
  empty: {
    title: 'No admin tokens yet',
    message:
      'Create one for a program that creates keys for your customers, or for a chat in which your team approves mail. Agents do not need one: give them API keys.',
  },
};
