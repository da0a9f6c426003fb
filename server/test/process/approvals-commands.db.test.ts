import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let home: ServerHome;
let server: ServerProcess;
let sink: MailSink;
let inboxId: string;

beforeAll(async () => {
  sink = await MailSink.start();
  home = await makeServerHome({
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
  });
  server = await home.start();
  inboxId = (await server.client.inboxes.create({ local_part: 'agent' })).id;
  await home.operate('policy set', { workspace: 'home', lines: { send: 'approve' } });
});
afterAll(async () => {
  await home.remove();
  await sink.close();
});

const run = async (...args: string[]): Promise<string> => {
  const { code, output } = await home.run(args);
  expect([args, code, output]).toEqual([args, 0, output]);
  return output.trim();
};
const hold = async (to: string) =>
  (
    await server.client.messages.send({
      inbox_id: inboxId,
      to,
      bcc: ['bob@remote.example'],
      subject: 'The offer \u202e\u001b[31m',
      text: 'Here it is.\u001b[2J',
      attachments: [{ filename: 'plan.txt', content: Buffer.from('a plan') }],
    })
  ).id;
const hashIn = (shown: string) => /--hash ([0-9a-f]{12})$/.exec(shown)?.[1] ?? '';

test('the verbs about approvals list, show, approve by what was shown, and refuse with a reason', async () => {
  const [one, two] = [await hold('ada@remote.example'), await hold('eve@remote.example')];
  const listed = await run('approvals', 'list', '--workspace', 'home');
  expect(listed.split('\n').map((line) => line.split('  ')[0])).toEqual([two, one]);
  const shown = await run('approvals', 'show', one);
  for (const part of [
    'recipient   to ada@remote.example, new to this inbox',
    'recipient   bcc bob@remote.example, new to this inbox',
    'attachment  plan.txt, text/plain, 6 bytes, SHA-256 ',
    'subject: The offer',
    'Here it is.\\u{1b}[2J',
  ])
    expect(shown).toContain(part);
  const asJson = await run('approvals', 'show', one, '--json');
  expect(JSON.parse(asJson)).toMatchObject({
    message_id: one,
    content_hash: expect.stringMatching(`^${hashIn(shown)}`),
    correspondents: [{ address: 'ada@remote.example' }, { address: 'bob@remote.example' }],
    files: [{ filename: 'plan.txt', size_bytes: 6 }],
    text: 'Here it is.\u001b[2J',
  });
  for (const steering of ['\u001b', '\u202e']) expect(shown + listed + asJson).not.toContain(steering);

  const approve = (ids: string[], hashes: string[]) => home.operate('approvals approve', { ids, hashes });
  expect(await approve([one], ['000000000000'])).toMatchObject([{ problem: 'changed', state: 'held' }]);
  await expect(approve([one], ['abc'])).rejects.toThrow('is not the beginning of a hash');
  await expect(approve([one, two], [hashIn(shown)])).rejects.toThrow('of each message');
  const unknown = { id: 'msg_01m8h5t6t8ejabxgatp9jhjdns' };
  await expect(home.operate('approvals show', unknown)).rejects.toThrow('No message');
  const approved = JSON.parse(await run('approvals', 'approve', one, '--hash', hashIn(shown)));
  expect(approved).toEqual([{ message_id: one, problem: null, state: 'approved', left_out: [] }]);
  await eventually('the mail', async () => sink.copiesFor('ada@remote.example').length === 1);

  await run('approvals', 'refuse', two, '--reason', 'not now');
  expect((await server.client.messages.get(two)).recipients[0]?.detail).toBe('not_approved: not now');
  expect(await home.operate('approvals list', {})).toEqual([]);
  expect(await home.operate('approvals list', { state: 'refused' })).toMatchObject([{ message_id: two }]);
  const gone = await hold('gone@remote.example');
  const kept = await hold('kept@remote.example');
  await server.client.messages.delete(gone);
  expect(
    await home.operate('approvals refuse', { ids: [gone, unknown.id, kept], reason: 'not now' }),
  ).toEqual([
    { message_id: gone, problem: 'not_found', state: null, left_out: [] },
    { message_id: unknown.id, problem: 'not_found', state: null, left_out: [] },
    { message_id: kept, problem: null, state: 'refused', left_out: [] },
  ]);
  const [act] = (await home.operate('audit list', { workspace: 'home', limit: 1 })) as object[];
  expect(act).toMatchObject({ action: 'approval.refused', after: { by: 'command line', reason: 'not now' } });
});

test('they need no server on this machine, and the next one sends what was approved', async () => {
  const id = await hold('late@remote.example');
  await server.stop();
  const shown = await run('approvals', 'show', id);
  await run('approvals', 'approve', id, '--hash', hashIn(shown));
  expect(sink.copiesFor('late@remote.example')).toEqual([]);
  server = await home.start();
  await eventually('the mail', async () => sink.copiesFor('late@remote.example').length === 1);
});
