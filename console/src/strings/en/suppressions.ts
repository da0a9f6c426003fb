/** The page of suppressed addresses. */
export const suppressionsText = {
  title: 'Suppressions',
  about: 'Addresses that are left out of every send, because mail to them bounced or they complained.',
  create: 'Suppress an address',
  columns: {
    address: 'Address',
    reason: 'Reason',
    message: 'Message',
    created: 'Since',
    actions: 'Actions',
  },
  reasons: {
    hard_bounce: 'Hard bounce',
    soft_bounce: 'Soft bounce',
    complaint: 'Complaint',
    manual: 'By hand',
  },
  reasonHelp: {
    hard_bounce: 'The server of the recipient refused the address for good.',
    soft_bounce: 'The server of the recipient refused for so long that we gave up.',
    complaint: 'The recipient marked a message as spam.',
    manual: 'Somebody added the address here or through the API.',
  },
  openMessage: 'Show the message',
  filters: { search: 'Find an address', reason: 'Reason', allReasons: 'All reasons' },
  empty: {
    title: 'No address is suppressed',
    message:
      'An address appears here automatically after a bounce or a complaint. That protects the reputation of your domain. You can also add one by hand.',
  },
  form: {
    title: 'Suppress an address',
    address: 'Address',
    help: 'Later sends leave it out. The response to a send says so.',
    placeholder: 'ada@example.com',
    submit: 'Suppress it',
    added: (address: string) => `${address} is suppressed.`,
    existing: (address: string) => `${address} was suppressed already.`,
  },
  removeLabel: (address: string) => `Remove ${address}`,
  removed: (address: string) => `${address} can be written to again.`,
  restored: (address: string) => `${address} is suppressed again, by hand.`,
};
