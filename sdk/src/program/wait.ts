import { type Message, Postrider } from '../index.ts';
import { findInbox } from './find-inbox.ts';
import { printResult, readArguments, UsageError, type Verb } from './verb.ts';

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
    if (values.code && values.link) throw new UsageError('--code and --link exclude each other.');
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
  if (!(seconds > 0)) throw new UsageError(`--timeout takes a number of seconds, and not ${text}.`);
  return seconds;
}

function describe({ from_addr, subject, extracted_text, id }: Message): string {
  return `From: ${from_addr}\nSubject: ${subject}\nId: ${id}\n\n${extracted_text ?? ''}`;
}
