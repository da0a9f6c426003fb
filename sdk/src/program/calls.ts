import { text as readText } from 'node:stream/consumers';
import { type Message, Postrider } from '../index.ts';
import { findInbox } from './find-inbox.ts';
import { printResult, readArguments, required, UsageError, type Verb } from './verb.ts';

/** Lists inboxes, and creates one. */
export const inboxes: Verb = {
  about: 'list inboxes, or create one',
  usage: ['[--json]', 'create NAME [--display-name TEXT] [--json]'],
  run: async (args) => {
    const { values, positionals } = readArguments(args, { 'display-name': { type: 'string' } }, 2);
    const [action, name] = positionals;
    const client = new Postrider();
    if (action === undefined) return list(client, values.json);
    if (action !== 'create' || name === undefined) throw new UsageError('Only `create NAME` may follow.');
    const inbox = await client.inboxes.getOrCreate({
      local_part: name,
      display_name: values['display-name'],
    });
    printResult(inbox, values.json, () => `${inbox.address}  ${inbox.id}`);
  },
};

async function list(client: Postrider, isJson: boolean): Promise<void> {
  for await (const inbox of client.inboxes.list({ limit: 100 }))
    printResult(inbox, isJson, () => `${inbox.address}  ${inbox.id}`);
}

/** Sends a message. */
export const send: Verb = {
  about: 'send a message',
  usage: [
    '--to ADDRESS [--to ADDRESS] --subject TEXT [--text TEXT] [--inbox INBOX] [--client-id ID] [--json]',
    '--to ADDRESS --subject TEXT < file      the text is read from standard input',
  ],
  run: async (args) => {
    const { values } = readArguments(args, {
      to: { type: 'string', multiple: true },
      cc: { type: 'string', multiple: true },
      subject: { type: 'string' },
      text: { type: 'string' },
      inbox: { type: 'string' },
      'client-id': { type: 'string' },
    });
    required('to', values.to?.[0]);
    const subject = required('subject', values.subject);
    const client = new Postrider();
    const inbox = await findInbox(client, values.inbox);
    const message = await client.messages.send({
      inbox_id: inbox.id,
      to: values.to ?? [],
      cc: values.cc,
      subject,
      text: values.text ?? (await readInput()),
      client_id: values['client-id'],
    });
    printResult(message, values.json, () => message.id);
  },
};

/** Reads the text from standard input, but not from a terminal, where nobody would know that the program is waiting. */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('--text is missing, and standard input is empty.');
  return readText(process.stdin);
}

/** Waits for a message, or for the code or the link in one. */
export const wait: Verb = {
  about: 'wait for a message, or for a code or a link in one',
  usage: [
    '[--inbox INBOX] [--from ADDRESS] [--subject WORDS] [--timeout SECONDS] [--code | --link] [--json]',
  ],
  run: async (args) => {
    const { values } = readArguments(args, {
      inbox: { type: 'string' },
      from: { type: 'string' },
      subject: { type: 'string' },
      timeout: { type: 'string' },
      code: { type: 'boolean', default: false },
      link: { type: 'boolean', default: false },
    });
    if (values.code && values.link) throw new UsageError('--code and --link cannot be used together.');
    const client = new Postrider();
    const inbox = await findInbox(client, values.inbox);
    const wanted = {
      inbox_id: inbox.id,
      from: values.from,
      subject: values.subject,
      ...(values.timeout !== undefined && { timeout: readSeconds(values.timeout) * 1_000 }),
    };
    if (values.code) {
      const found = await client.messages.waitForCode(wanted);
      printResult(found, values.json, () => found.code);
    } else if (values.link) {
      const found = await client.messages.waitForLink(wanted);
      printResult(found, values.json, () => found.url);
    } else {
      const message = await client.messages.waitFor(wanted);
      printResult(message, values.json, () => describe(message));
    }
  },
};

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new UsageError(`--timeout takes a number of seconds, not ${text}.`);
  return seconds;
}

function describe({ from_addr, subject, extracted_text, id }: Message): string {
  return `From: ${from_addr}\nSubject: ${subject}\nId: ${id}\n\n${extracted_text ?? ''}`;
}
