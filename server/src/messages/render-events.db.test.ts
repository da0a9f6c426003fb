import { renderContext } from '@postrider/testkit/database/render-context.ts';
import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { makeEvent } from '@postrider/testkit/mail/made-event.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { renderEvents } from './render-events.ts';
import type { NewMessage } from './store/message-record.ts';

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
});
afterAll(() => store.close());

/** Stores a mail and gives the way to its event, rendered anew each time. */
const storeWithEvent = async (mail: Partial<StoredMail> = {}) => {
  const message_id = newId('msg');
  await store.store({ inboxId, ...mail, message: { ...mail.message, id: message_id } });
  const event = makeEvent(store.workspaceId, { message_id });
  const render = async () =>
    (await renderEvents(renderContext(store.database.db, store.workspaceId), [event]))[0];
  return { id: message_id, render };
};

/** Texts that a column can hold: any characters but NUL. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
const texts = fc.array(text, { maxLength: 4 });
const maybe = fc.option(text);
const authentication = fc.record({
  spf: fc.constantFrom('pass', 'none'),
  dkim: fc.constantFrom('pass', 'fail'),
  dmarc: fc.constantFrom('pass', 'none'),
  aligned: fc.boolean(),
});

const anyMessage = fc.record({
  from_addr: text,
  from_name: maybe,
  to_addrs: texts,
  cc_addrs: texts,
  bcc_addrs: texts,
  reply_to_addrs: texts,
  envelope_from: maybe,
  envelope_to: texts,
  subject: text,
  body_text: fc.option(fc.oneof(text, fc.constantFrom('x'.repeat(65_000), 'é'.repeat(40_000)))),
  body_html: maybe,
  extracted_text: maybe,
  snippet: text,
  in_reply_to: maybe,
  reference_ids: texts,
  authentication: fc.option(authentication),
  auto_submitted: fc.boolean(),
  size_bytes: fc.nat(),
  created_at: fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2040-01-01'),
    noInvalidDate: true,
  }),
}) as unknown as fc.Arbitrary<Partial<NewMessage>>;

test('an event shows the message as it was stored', async () => {
  const property = fc.asyncProperty(anyMessage, fc.boolean(), async (message, isOutbound) => {
    const recipients = isOutbound ? ['ada@example.com'] : undefined;
    const { render } = await storeWithEvent({ message, ...(recipients && { recipients }) });
    const { subject, snippet, from_addr, from_name, to_addrs, cc_addrs } = message;
    const shown = { subject, snippet, from_addr, from_name, to_addrs, cc_addrs };
    expect((await render())?.message).toMatchObject(shown);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('an event shows the thread in which its message is now', async () => {
  const { id: other } = await storeWithEvent();
  const { id, render } = await storeWithEvent();
  const [row] = await store.rows<{ thread_id: string }>('select thread_id from messages where id = $1', [
    other,
  ]);
  await store.rows('update messages set thread_id = $1 where id = $2', [row?.thread_id, id]);
  expect(await render()).toMatchObject({ ...row, message: row });
});

test.each([
  ['was deleted', 'delete from messages where id = $1'],
  [
    'is in an inbox that was deleted',
    'update inboxes set deleted_at = now() where id = (select inbox_id from messages where id = $1)',
  ],
])('a message that %s is not shown', async (_, statement) => {
  const { id, render } = await storeWithEvent({ inboxId: await store.inbox() });
  await store.rows(statement, [id]);
  expect(await render()).toMatchObject({ message: null });
});
