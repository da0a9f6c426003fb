/** The page of allow and block lists. */
export const rulesText = {
  title: 'Rules',
  about:
    'Allow and block lists. The most specific rule decides: the full address first, then the longest domain. On a tie the block wins.',
  create: 'Add a rule',
  columns: {
    pattern: 'Address or domain',
    kind: 'Rule',
    direction: 'Mail',
    created: 'Created',
    actions: 'Actions',
  },
  kinds: { block: 'Block', allow: 'Allow' },
  directions: { inbound: 'Incoming', outbound: 'Outgoing', both: 'Both' },
  filters: {
    search: 'Find a pattern',
    kind: 'Rule',
    allKinds: 'Allow and block',
    direction: 'Mail',
    allDirections: 'Incoming and outgoing',
  },
  empty: {
    title: 'No rules yet',
    message:
      'Without a rule, everybody may write to your inboxes, and they may write to everybody. Block a sender, or block a domain and allow one address of it.',
  },
  form: {
    title: 'Add a rule',
    kind: 'What to do',
    direction: 'With which mail',
    directionHelp: {
      inbound: 'Incoming: the sender is compared.',
      outbound: 'Outgoing: the recipient is compared.',
      both: 'Incoming and outgoing: the sender or the recipient is compared.',
    },
    pattern: 'Address or domain',
    placeholder: 'example.com or ada@example.com',
    submit: 'Add the rule',
    existing: (pattern: string) => `There is such a rule for ${pattern} already.`,
    added: (pattern: string) => `The rule for ${pattern} applies from now on.`,
  },
  explain: {
    empty: 'Enter a full address, or a domain.',
    notYet: 'This is neither an address nor a domain yet.',
    address: (address: string) =>
      `Matches ${address}, also with a tag such as +news, in upper or lower case.`,
    domain: (domain: string) => `Matches every address of ${domain} and of its subdomains.`,
    effects: {
      'block inbound': 'Their mail is refused during SMTP, and nothing is stored.',
      'block outbound': 'They are left out of every send.',
      'block both': 'Their mail is refused, and they are left out of every send.',
      'allow inbound': 'Their mail is accepted, even if a wider rule blocks it and the sender is verified.',
      'allow outbound':
        'They can be written to, even if a wider rule blocks it. Suppressed addresses stay left out.',
      'allow both':
        'They can write and be written to, even if a wider rule blocks it. Suppressed addresses stay left out.',
    },
  },
  deleteLabel: (pattern: string) => `Delete the rule for ${pattern}`,
  deleted: (pattern: string) => `The rule for ${pattern} is deleted.`,
  restored: (pattern: string) => `The rule for ${pattern} is back.`,
};
