import type { Disclosure, PauseLevel, PolicyLine, SendMode } from '@postrider/contract';

/** The page of the sending policy. */
export const sendingText = {
  title: 'Sending policy',
  about: 'The limits on what agents can send. People set them here, and no API key can change them.',
  pauses: {
    title: 'Paused now',
    places: {
      server: () => 'All sending on this server',
      workspace: (name) => `All sending of “${name}”`,
      inbox: (name) => name,
      key: (name) => `The key “${name}”`,
    } satisfies Record<PauseLevel, (name: string) => string>,
  },
  workspace: {
    title: (name: string) => `Policy of “${name}”`,
    about:
      'It applies to every key and every inbox of the workspace, but not to mail that people write here.',
    changed: 'Last changed',
    saved: 'The policy now applies to every message that has not been accepted yet.',
    held: (webhooks: { url: string; key_name: string }[]) =>
      `These webhooks of keys under this policy stay active until you disable them: ${webhooks.map(({ url, key_name }) => `${url} (${key_name})`).join(', ')}`,
  },
  list: {
    title: 'Inboxes and keys with their own policy',
    about: 'Such a policy can only be stricter than the policy of the workspace.',
    add: 'Add a policy',
    columns: { place: 'For', lines: 'Policy', changed: 'Changed', actions: 'Actions' },
    edit: (name: string) => `Edit the policy of ${name}`,
    remove: (name: string) => `Remove the policy of ${name}`,
    removed: (name: string) => `${name} no longer has its own policy.`,
    restored: (name: string) => `The policy of ${name} was restored.`,
    empty: {
      title: 'None yet',
      message: 'Give an inbox or a key its own policy, for example for an agent that you are trying out.',
    },
  },
  dialog: {
    add: 'Add a policy',
    edit: (name: string) => `Policy of ${name}`,
    level: 'For an inbox or a key',
    inbox: 'Inbox',
    key: 'API key',
    choose: 'Choose one',
    notOthers:
      'The policy of an inbox does not limit a key that can create inboxes, because such a key can send from another inbox. Limit the key to inboxes, or give it or the workspace a policy.',
    saved: (name: string) => `The policy of ${name} applies from now on.`,
  },
  effective: {
    title: 'What this means',
    about:
      'For each setting, the strictest value applies. Choose an inbox and a key to see what the key can send.',
    anyInbox: 'Without an inbox',
    anyKey: 'Without a key',
    result: 'Result',
    table: 'The policies of workspace, inbox and key, and the result',
    line: 'Setting',
    decides: 'decides',
    free: 'Everything is sent at once, to anyone, without caps.',
    paused: {
      server: 'Nothing is sent right now: the server is paused.',
      workspace: 'Nothing is sent right now: the workspace is paused.',
      inbox: 'Nothing is sent right now: the inbox is paused.',
      key: 'Nothing is sent right now: the key is paused.',
    } satisfies Record<PauseLevel, string>,
    foreign: (inbox: string) => `The key is limited to other inboxes, so it cannot send from ${inbox}.`,
    readOnly: 'The key is read-only, so it cannot send anything.',
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
      'Applies to everything that keys write, even if a person sends it. Messages that people write are not marked.',
    choices: {
      none: { name: 'Do not tell', about: 'Messages are sent as the agent wrote them.' },
      header: {
        name: 'In the header',
        about: 'Mail programs and filters can read it, but people usually do not see it.',
      },
      footer: { name: 'In the text', about: 'One line below the text and the HTML.' },
    } satisfies Record<Disclosure, { name: string; about: string }>,
    from: 'From: Support <support@example.com>',
    subject: 'Subject: Your order',
    header: 'X-AI-Generated: true',
    text: 'Dear Ada, your order shipped yesterday.',
    line: 'This message was written by an AI.',
    saved: 'It applies to every message from now on.',
  },
};

type CapLine = Exclude<PolicyLine, 'send' | 'recipients'>;

const emails = (count: number) => (count === 1 ? '1 email' : `${count} emails`);
const people = (count: number) => (count === 1 ? '1 recipient' : `${count} recipients`);

/** Each setting of a policy: its name, and its effect in one sentence. */
const lines: Record<PolicyLine, { name: string; about: string }> = {
  send: {
    name: 'Sending',
    about: 'What happens to each message, reply, forward and draft that a key sends.',
  },
  recipients: { name: 'Recipients', about: 'Any other recipients are left out, and the sender is told.' },
  per_hour: { name: 'Emails per hour', about: 'A message to three recipients counts as three emails.' },
  per_day: { name: 'Emails in 24 hours', about: 'Counted over the last 24 hours, not by calendar day.' },
  per_thread_hour: {
    name: 'Emails per hour in one thread',
    about: 'Stops two agents that reply to each other endlessly.',
  },
  per_recipient_day: {
    name: 'Emails in 24 hours to one recipient',
    about: 'All tags of an address, such as ada+news, count as one recipient.',
  },
  recipients_max: { name: 'Recipients per message', about: 'In To, Cc and Bcc together.' },
};

const modes: Record<SendMode, { name: string; short: string; about: string }> = {
  allow: { name: 'Send', short: 'Send at once', about: 'Messages are sent at once.' },
  approve: {
    name: 'Ask people first',
    short: 'People approve',
    about: 'Each message is held until somebody here approves it, for at most 72 hours.',
  },
  never: {
    name: 'Never send',
    short: 'Never send',
    about:
      'Every send is refused. Mail can be read, and drafts can be written. To send one, a person must rewrite the text.',
  },
};

const caps: Record<CapLine, (count: number) => string> = {
  per_hour: (count) => `At most ${emails(count)} per hour.`,
  per_day: (count) => `At most ${emails(count)} in 24 hours.`,
  per_thread_hour: (count) => `At most ${emails(count)} per hour in one thread.`,
  per_recipient_day: (count) => `At most ${emails(count)} to one recipient in 24 hours.`,
  recipients_max: (count) => `At most ${people(count)} per message.`,
};

const shortCaps: Record<CapLine, (count: number) => string> = {
  per_hour: (count) => `${count} per hour`,
  per_day: (count) => `${count} per day`,
  per_thread_hour: (count) => `${count} per hour in a thread`,
  per_recipient_day: (count) => `${count} per day to one recipient`,
  recipients_max: (count) => `${people(count)} per message`,
};

/** The words for a policy, wherever one is shown. */
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
        'Mail can be sent to addresses that have written to the inbox, if the sender was proven, and to addresses that an outgoing allow rule names, even if the rule is older than the policy.',
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
  onlyTo: (list: string) => `Mail can be sent only to ${list}.`,
  toNobody: 'Mail cannot be sent to anyone.',
  noCap: 'No cap',
  notSet: '–',
  nothingSet: 'No limits',
  levels: { workspace: 'Workspace', inbox: 'Inbox', key: 'Key' },
  form: {
    list: 'Addresses and domains',
    listHelp: 'Enter them one by one, such as ada@example.com or example.com.',
    noPattern: (texts: string) => `This is neither an address nor a domain: ${texts}`,
    caps: 'Caps',
    capsAbout: 'A send over a cap is refused, and the sender is told when to try again.',
    save: 'Save',
    careful: 'Careful defaults',
    carefulAbout: 'Fills in the form: only known recipients, and caps that stop an agent in a loop.',
    stricter:
      'This policy can only be stricter than that of the workspace: for each setting, the strictest value applies.',
  },
};
