import { text as readText } from 'node:stream/consumers';
import { Postrider } from '../index.ts';
import { findInbox } from './find-inbox.ts';
import { printResult, readArguments, required, UsageError, type Verb } from './verb.ts';

/** Sends a message. */
export const send: Verb = {
  about: 'send a message',
  usage: [
    '--to ADDRESS [--to ADDRESS] --subject TEXT [--text TEXT] [--inbox INBOX] [--client-id ID] [--json]',
    '--to ADDRESS --subject TEXT < file      the text comes from the standard input',
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

/** Reads the text from the standard input. A terminal has none to give, unless somebody knows that it waits. */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('--text is missing, and nothing comes from the standard input.');
  return readText(process.stdin);
}
