/** The page of suppressed addresses. */
export const suppressionsText = {
  title: 'Suppressions',
  about:
    'Addresses that get no mail from this workspace, because earlier mail bounced or the recipient complained.',
  create: 'Suppress an address',
  columns: { address: 'Address', reason: 'Reason', message: 'Message', created: 'Since', actions: 'Actions' },
  reasons: {
    hard_bounce: 'Hard bounce',
    soft_bounce: 'Soft bounce',
    complaint: 'Complaint',
    manual: 'Manual',
  },
  reasonHelp: {
    hard_bounce: 'The recipient’s server refused the address permanently.',
    soft_bounce: 'The recipient’s server kept refusing mail temporarily until we gave up.',
    complaint: 'The recipient marked a message as spam.',
    manual: 'Somebody added the address here or through the API.',
  },
  openMessage: 'Show the message',
  filters: { search: 'Find an address', reason: 'Reason', allReasons: 'All reasons' },
  empty: {
    title: 'No suppressed addresses',
    message:
      'Addresses are added automatically after a bounce or a complaint, to protect the reputation of your domain. You can also add one yourself.',
  },
  form: {
    title: 'Suppress an address',
    address: 'Address',
    help: 'From now on, this address is left out of every send, and the response says so.',
    placeholder: 'ada@example.com',
    submit: 'Suppress',
    added: (address: string) => `${address} is now suppressed.`,
    existing: (address: string) => `${address} is already suppressed.`,
  },
  removeLabel: (address: string) => `Remove ${address}`,
  removed: (address: string) => `${address} can receive mail again.`,
  restored: (address: string) => `${address} is suppressed again, as a manual entry.`,
};
