import type { PolicyLine, SendMode } from '@postrider/contract';

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
      'Every send is refused. Mail can be read, and drafts can be written. To send one, a person writes the text anew.',
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
    anyone: { name: 'Anyone', about: 'Mail may go to every address.' },
    known: {
      name: 'Known',
      about:
        'Mail may go to addresses that wrote to the inbox before, if their mail was proven to be theirs, and to those that an outgoing allow rule names, also one from before.',
    },
    list: {
      name: 'A list',
      about: 'Mail may go to the addresses and domains of the list. A domain includes its subdomains.',
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
    stricter: 'It can only be stricter than the policy of the workspace: of each line, the strictest holds.',
  },
};
