import { plans } from '@postrider/contract';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { endSharedServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findAddressees } from '../inboxes/find-inbox.ts';
import { readAccountUsage } from './account-usage.ts';
import { hasMailRoom, mailRoomLimits } from './usage.ts';

let store: MailStore;
let inboxId: string;
const { knownForMsMax, fullForMs } = mailRoomLimits;
const { mail_bytes: cap } = plans.business;

beforeAll(async () => {
  await endSharedServer();
  store = await openMailStore();
});
beforeEach(async () => {
  inboxId = await store.inbox();
  await store.rows('delete from usage_ledger');
  Object.assign(mailRoomLimits, { knownForMsMax, fullForMs });
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => store.close());

const use = (amount: number) =>
  store.rows(
    "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'mail_bytes', $2, now())",
    [store.workspaceId, amount],
  );
const mailBytes = async () => {
  const usages = await readAccountUsage(store.deps, [store.workspaceId], new Date());
  return usages.get(store.workspaceId)?.mail_bytes;
};
const addresses = async (count: number): Promise<string[]> => {
  const made = Array.from({ length: count }, (_, n) => `n${n}-${inboxId}@postrider.test`);
  await store.rows(
    'insert into addresses (address, workspace_id, inbox_id) select a, $1, $2 from unnest($3::text[]) a on conflict do nothing',
    [store.workspaceId, inboxId, made],
  );
  return made;
};
const ask = (recipients: string[]) =>
  findAddressees(
    store.deps,
    recipients.map((recipient) => ({ recipient, sender: 'ada@example.com' })),
  );
const deps = () => ({ ...store.deps, config: { plans } }) as unknown as Parameters<typeof hasMailRoom>[0];
const decide = async (recipients: string[]): Promise<boolean[]> =>
  (await ask(recipients)).map((found) => {
    const { address, workspaceId } = found!.inbox;
    return hasMailRoom(deps(), { address, workspaceId, plan: 'business', mailBytes: found!.mailBytes });
  });
const readBytes = async (recipients: string[]) => (await ask(recipients)).map((found) => found?.mailBytes);

test('what a workspace stores is read once for all of its addresses, and again when that is too long ago', async () => {
  const made = await addresses(3);
  await use(5);
  expect(await readBytes(made)).toEqual([5, 5, 5]);
  expect(await decide(made)).toEqual([true, true, true]);
  expect(await readBytes([...made, `${made[0]!.replace('@', '+tag@')}`])).toEqual([null, null, null, null]);
  const [fresh = ''] = await addresses(4).then((all) => all.slice(3));
  expect(await readBytes([fresh])).toEqual([5]);
});

test('near the cap it is known for as long as the rest could not be used up, and who is over it is asked about again soon', async () => {
  const [address = ''] = await addresses(1);
  mailRoomLimits.knownForMsMax = 0;
  await decide([address]);
  await use(cap - 1);
  expect(await decide([address])).toEqual([true]);
  await use(1);
  expect(await decide([address])).toEqual([false]);
  expect(await readBytes([address])).toEqual([null]);
  expect(await decide([address])).toEqual([false]);
  await use(-1);
  vi.advanceTimersByTime(fullForMs);
  expect(await decide([address])).toEqual([true]);
});

test('a batch is one entry for each workspace, of what its rows take', async () => {
  const text = 'Grüße 😀 '.repeat(20_000);
  const mails = [
    { inboxId, message: { size_bytes: 100, body_text: null, body_html: null, extracted_text: null } },
    { inboxId, message: { size_bytes: 2_000_000, body_text: text, body_html: text, extracted_text: null } },
    { inboxId, message: { size_bytes: 7, body_text: 'é', body_html: '', extracted_text: 'e' } },
  ];
  const expected = 100 + 2_000_000 + 2 * Buffer.byteLength(text) + 7 + 2 + 1;
  await store.rows('delete from messages');
  const outcomes = await store.storeBatch(mails);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
  expect(await store.rows('select kind, amount::int from usage_ledger')).toEqual([
    { kind: 'mail_bytes', amount: expected },
  ]);
  const ofRows = 'sum(mail_bytes(size_bytes, body_text, body_html, extracted_text))::int';
  expect(await store.rows(`select ${ofRows} as bytes from messages`)).toEqual([{ bytes: expected }]);
  expect(await mailBytes()).toBe(expected);
});

test('more that was given back than was counted is nothing', async () => {
  await use(-10);
  expect(await mailBytes()).toBe(0);
});
