import { Postrider } from '../index.ts';
import { printResult, readArguments, UsageError, type Verb } from './verb.ts';

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
