import type { Disclosure, PauseLevel, PolicyLine, SendMode } from '@postrider/contract';

/** The page of the sending policy. */
export const sendingText = {
  title: 'Sending policy',
  about: 'The limits on what agents can send. People set them here, and no API key can change them.',
  pauses: {
    title: 'Paused now',
    places: {
      server: () => 'Everything that this server sends',
      workspace: (name) => `Everything that “${name}” sends`,
      inbox: (name) => name,
      key: (name) => `The key “${name}”`,
    } satisfies Record<PauseLevel, (name: string) => string>,
  },
  workspace: {
    title: (name: string) => `Policy of “${name}”`,
    about:
      'It applies to every key and every inbox of the workspace, but not to people who write here themselves.',
    changed: 'Last changed',
    saved: 'The policy applies from now on, to every message that has not been accepted yet.',
    held: (webhooks: { url: string; key_name: string }[]) =>
      `These webhooks of keys under this policy stay active until you disable them: ${webhooks.map(({ url, key_name }) => `${url} (${key_name})`).join(', ')}`,
    never: 'No policy has been set: everything is allowed.',
  },
  list: {
    title: 'Inboxes and keys with a policy of their own',
    about: 'Such a policy can only be stricter than that of the workspace.',
    add: 'Add a policy',
    columns: { place: 'For', lines: 'Policy', changed: 'Changed', actions: 'Actions' },
    edit: (name: string) => `Edit the policy of ${name}`,
    remove: (name: string) => `Remove the policy of ${name}`,
    removed: (name: string) => `${name} has no policy of its own any more.`,
    restored: (name: string) => `The policy of ${name} is back.`,
    empty: {
      title: 'None yet',
      message: 'Give an inbox or a key a policy, such as one for an agent that you try out.',
    },
    operator: 'by the operator',
    by: (name: string) => `by ${name}`,
  },
  dialog: {
    add: 'Add a policy',
    edit: (name: string) => `Policy of ${name}`,
    level: 'For an inbox or a key',
    inbox: 'Inbox',
    key: 'API key',
    choose: 'Choose one',
    notOthers:
      'It does not limit a key that can create inboxes, because such a key can send from another inbox. Limit the key to inboxes, or give it or the workspace a policy.',
    saved: (name: string) => `The policy of ${name} holds from now on.`,
  },
  effective: {
    title: 'What this means',
    about:
      'For each setting, the strictest value applies. Choose an inbox and a key to see what the key can send.',
    inbox: 'Inbox',
    anyInbox: 'Without an inbox',
    key: 'API key',
    anyKey: 'Without a key',
    result: 'Result',
    table: 'The policy of each place, and the result',
    line: 'Line',
    decides: 'decides',
    free: 'Everything goes out at once, to anyone, and without caps.',
    paused: {
      server: 'Right now nothing goes out: the server is paused.',
      workspace: 'Right now nothing goes out: the workspace is paused.',
      inbox: 'Right now nothing goes out: the inbox is paused.',
      key: 'Right now nothing goes out: the key is paused.',
    } satisfies Record<PauseLevel, string>,
    foreign: (inbox: string) => `The key is limited to other inboxes, so it sends nothing from ${inbox}.`,
    readOnly: 'The key only reads, so it sends nothing at all.',
    from: {
      workspace: 'set for the workspace',
      inbox: 'set for the inbox',
      key: 'set for the key',
      default: '',
    },
  },
  disclosure: {
    title: 'Tell recipients that an AI wrote it',
    about:
      'For everything that keys write, also if a person sends it. What people write themselves is not marked.',
    choices: {
      none: { name: 'Do not tell', about: 'Messages go out as the agent wrote them.' },
      header: {
        name: 'In the header',
        about: 'Mail programs and filters can read it, and people usually do not see it.',
      },
      footer: { name: 'In the text', about: 'One line below every text and HTML.' },
    } satisfies Record<Disclosure, { name: string; about: string }>,
    from: 'From: Support <support@example.com>',
    subject: 'Subject: Your order',
    header: 'X-AI-Generated: true',
    text: 'Dear Ada, your order left our house yesterday.',
    line: 'This message was written by an AI.',
    saved: 'It applies to every message from now on.',
  },
};

type CapLine = Exclude<PolicyLine, 'send' | 'recipients'>;

const mails = (count: number) => (count === 1 ? '1 mail' : `${count} mails`);
const people = (count: number) => (count === 1 ? '1 recipient' : `${count} recipients`);

/** Each line of a policy: its name, and what it does, in one sentence. */
const lines: Record<PolicyLine, { name: string; about: string }> = {
  send: {
    name: 'Sending',
    about: 'What happens to each message, reply, forward and draft that a key sends.',
  },
  recipients: { name: 'Recipients', about: 'Others are left out of a message, and the sender is told.' },
  per_hour: { name: 'Mails an hour', about: 'A message to three recipients counts as three mails.' },
  per_day: {
    name: 'Mails in 24 hours',
    about: 'Counted over the last 24 hours, not by the day of a calendar.',
  },
  per_thread_hour: {
    name: 'Mails an hour in one thread',
    about: 'It stops two agents that answer each other endlessly.',
  },
  per_recipient_day: {
    name: 'Mails in 24 hours to one recipient',
    about: 'It counts all tags of an address, such as ada+news, as one recipient.',
  },
  recipients_max: { name: 'Recipients of one message', about: 'In To, Cc and Bcc together.' },
};

const modes: Record<SendMode, { name: string; short: string; about: string }> = {
  allow: { name: 'Send', short: 'Send at once', about: 'Messages go out at once.' },
  approve: {
    name: 'Ask people first',
    short: 'People approve',
    about: 'Each message is held until somebody here approves it, for 72 hours at most.',
  },
  never: {
    name: 'Never send',
    short: 'Never send',
    about:
      'Every send is refused. Mail can be read, and drafts can be written. To send one, a person must rewrite the text.',
  },
};

const caps: Record<CapLine, (count: number) => string> = {
  per_hour: (count) => `At most ${mails(count)} an hour.`,
  per_day: (count) => `At most ${mails(count)} in 24 hours.`,
  per_thread_hour: (count) => `At most ${mails(count)} an hour in one thread.`,
  per_recipient_day: (count) => `At most ${mails(count)} to one recipient in 24 hours.`,
  recipients_max: (count) => `At most ${people(count)} in one message.`,
};

const shortCaps: Record<CapLine, (count: number) => string> = {
  per_hour: (count) => `${count} an hour`,
  per_day: (count) => `${count} a day`,
  per_thread_hour: (count) => `${count} an hour in a thread`,
  per_recipient_day: (count) => `${count} a day to one recipient`,
  recipients_max: (count) => `${people(count)} of a message`,
};

/** How a policy is told, wherever it is shown. */
export const policyText = {
  lines,
  modes,
  caps,
  shortCaps,
  recipients: {
    anyone: { name: 'Anyone', about: 'Mail can be sent to any address.' },
    known: {
      name: 'Known',
      about:
        'Mail can be sent to addresses that have written to the inbox, if their mail was proven to be theirs, and to addresses that an outgoing allow rule names, even an older rule.',
    },
    list: {
      name: 'A list',
      about: 'Mail can be sent to the addresses and domains in the list. A domain includes its subdomains.',
    },
  },
  nobody: 'Nobody',
  listed: (list: string[]) =>
    list.length > 3 ? `${list.slice(0, 3).join(', ')} and ${list.length - 3} more` : list.join(', '),
  listOf: (count: number) => `A list of ${count}`,
  onlyTo: (list: string) => `Mail may go only to ${list}.`,
  toNobody: 'Mail may go to nobody.',
  noCap: 'No cap',
  notSet: '–',
  nothingSet: 'Nothing is held back',
  levels: { workspace: 'Workspace', inbox: 'Inbox', key: 'Key' },
  form: {
    list: 'Addresses and domains',
    listHelp: 'Enter one after the other, such as ada@example.com or example.com.',
    noPattern: (texts: string) => `This is neither an address nor a domain: ${texts}`,
    caps: 'Caps',
    capsAbout: 'A send over a cap is refused, and the sender is told when it may try again.',
    save: 'Save',
    careful: 'Careful defaults',
    carefulAbout: 'Fills the form: only known recipients, and caps that stop an agent in a loop.',
    stricter:
      'It can only make the policy of the workspace stricter: for each setting, the strictest value applies.',
  },
};
