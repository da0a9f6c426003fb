import type { Disclosure, PauseLevel } from '@postrider/contract';

/** The page of the sending policy. */
export const sendingText = {
  title: 'Sending policy',
  about: 'What agents may send. People decide it here, and no API key can change it.',
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
      'It holds for every key and every inbox of the workspace. People who write here themselves are not bound by it.',
    changed: 'Last changed',
    saved: 'The policy holds from now on, for every message that is not accepted yet.',
    held: (webhooks: { url: string; key_name: string }[]) =>
      `These webhooks of keys under this policy go on, until you disable them: ${webhooks.map(({ url, key_name }) => `${url} (${key_name})`).join(', ')}`,
    never: 'No policy was ever set: everything is allowed.',
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
      'It does not bind a key that may create inboxes: such a key can send from another inbox. Limit the key to inboxes, or give it or the workspace a policy.',
    saved: (name: string) => `The policy of ${name} holds from now on.`,
  },
  effective: {
    title: 'What this means',
    about: 'Of each line the strictest holds. Choose an inbox and a key to see what it may send.',
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
    saved: 'It holds for every message from now on.',
  },
};
