/*
 * Signs up at a web service with an address of its own: asks for an account, enters the code that comes by mail, and opens the link
 * that comes then. Each step that is done is noted at the inbox, on the server, so that a new start continues with the next.
 */
import { Postrider } from 'postrider';

const service = process.argv[2] ?? 'http://127.0.0.1:4500';
const sender = 'service.example'; // a code from anybody else is not one of the service

const { inboxes, messages } = new Postrider({ maxRetries: 10 }); // reads POSTRIDER_API_KEY
let inbox = await inboxes.getOrCreate({ local_part: 'robot' });
const ofService = { inbox_id: inbox.id, from: sender, timeout: 600_000 };

await once('signed_up', async () => {
  // A crash before the note has this done again. The service then says that it knows the address, which is as good.
  await post('/accounts', { address: inbox.address }, [201, 409]);
});

await once('code_entered', async () => {
  let after = inbox.created_at;
  for (;;) {
    // Of the codes that are there already this is the newest; a later one makes it void.
    const { code, message } = await messages.waitForCode({ ...ofService, after });
    const status = await post('/codes', { address: inbox.address, code }, [204, 403, 409]);
    if (status !== 403) return;
    after = message.id;
  }
});

await once('confirmed', async () => {
  const { url } = await messages.waitForLink({ ...ofService, after: inbox.created_at, match: /\/confirm\?/ });
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} answered ${status}.`);
});

/** Takes a step unless it is noted as done, and notes it. A step must bear to be taken twice: the note may be lost in a crash. */
async function once(step: string, take: () => Promise<void>): Promise<void> {
  if (inbox.metadata[step] === undefined) {
    await take();
    const metadata = { ...inbox.metadata, [step]: new Date().toISOString() };
    inbox = await inboxes.update(inbox.id, { metadata });
  }
  console.log(`${step} at ${inbox.metadata[step]}`);
}

/** Posts to the service and gives the status of its answer; throws when it is none of those that were expected. */
async function post(path: string, body: object, expected: number[]): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${service}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!expected.includes(status)) throw new Error(`${path} answered ${status}.`);
  return status;
}
