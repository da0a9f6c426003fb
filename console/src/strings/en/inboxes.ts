/** The page of inboxes. */
export const inboxesText = {
  title: 'Inboxes',
  about: 'Addresses that send and receive mail.',
  create: 'Create an inbox',
  columns: {
    address: 'Address',
    unread: 'Unread',
    activity: 'Last mail',
    created: 'Created',
    actions: 'Actions',
  },
  copy: (address: string) => `Copy ${address}`,
  unread: (count: number) => (count >= 100 ? '99+' : String(count)),
  unreadLabel: (count: number) =>
    count === 1 ? '1 unread thread' : `${count >= 100 ? '100 or more' : count} unread threads`,
  noMail: 'No mail yet',
  rename: 'Change the name',
  remove: 'Delete',
  empty: {
    title: 'No inboxes yet',
    message:
      'Create an address here, or let your agent create its own with one request. It can receive mail immediately.',
  },
  form: {
    title: 'Create an inbox',
    localPart: 'Address',
    localPartHelp: 'Letters, digits, dots, hyphens and underscores.',
    localPartPlaceholder: 'support',
    domain: 'Domain',
    displayName: 'Display name',
    displayNameHelp: 'What recipients see as the sender. You can change it later.',
    displayNamePlaceholder: 'Support of Example',
    submit: 'Create',
    done: (address: string) => `${address} can now send and receive mail.`,
  },
  renaming: {
    title: (address: string) => `Name of ${address}`,
    submit: 'Save',
    done: 'The name was changed.',
  },
  deletion: {
    title: (address: string) => `Delete ${address}?`,
    message:
      'All its messages, threads and drafts are deleted, mail to it is refused from now on, and its scheduled mail is not sent. ' +
      'This cannot be undone.',
    confirm: 'Delete the inbox and its mail',
    done: (address: string) => `${address} was deleted.`,
  },
};
