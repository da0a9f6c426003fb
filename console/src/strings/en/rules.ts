/** The page of allow and block lists. */
export const rulesText = {
  title: 'Rules',
  about:
    'Allow and block lists. The most specific rule applies: the full address first, then the longest domain. On a tie, the block rule wins.',
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
      'Without rules, anyone can write to your inboxes, and your inboxes can write to anyone. Block a sender, or block a domain and allow one of its addresses.',
  },
  form: {
    title: 'Add a rule',
    kind: 'Action',
    direction: 'Applies to',
    directionHelp: {
      inbound: 'Incoming mail is matched by its sender.',
      outbound: 'Outgoing mail is matched by its recipient.',
      both: 'Incoming mail is matched by its sender, outgoing mail by its recipient.',
    },
    pattern: 'Address or domain',
    placeholder: 'example.com or ada@example.com',
    submit: 'Add the rule',
    existing: (pattern: string) => `This rule for ${pattern} already exists.`,
    added: (pattern: string) => `The rule for ${pattern} applies from now on.`,
  },
  explain: {
    empty: 'Enter a full address, or a domain.',
    notYet: 'This is not an address or a domain yet.',
    address: (address: string) =>
      `Matches ${address}, in upper or lower case and with any tag, such as +news.`,
    domain: (domain: string) => `Matches every address of ${domain} and of its subdomains.`,
    effects: {
      'block inbound': 'Their mail is refused during SMTP, and nothing is stored.',
      'block outbound': 'They are left out of every send.',
      'block both': 'Their mail is refused, and they are left out of every send.',
      'allow inbound':
        'Their mail is accepted even if a broader rule blocks it, provided that the sender is verified.',
      'allow outbound':
        'Mail can be sent to them even if a broader rule blocks it. Suppressed addresses are still left out.',
      'allow both':
        'They can send and receive mail even if a broader rule blocks it. Suppressed addresses are still left out.',
    },
  },
  deleteLabel: (pattern: string) => `Delete the rule for ${pattern}`,
  deleted: (pattern: string) => `The rule for ${pattern} was deleted.`,
  restored: (pattern: string) => `The rule for ${pattern} was restored.`,
};
