import { makeXlsx } from '@postrider/testkit/files/office-files.ts';
import { textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchStatus } from '../search-status.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The ids of messages whose words have this one. */
const idsWith = async (word: string): Promise<string[]> => {
  const rows = await server.rows<{ message_id: string }>(
    'select message_id from search_messages where words @@ $1::tsquery',
    [`'${word}'`],
  );
  return rows.map(({ message_id }) => message_id);
};

const isFound = (word: string) => eventually(`a message with ${word}`, async () => (await idsWith(word))[0]);

test('mail is found by the text of its files soon after it has arrived, and no more once it is deleted', async () => {
  const inbox = await server.inbox();
  const attachments = [
    { filename: 'a.pdf', content: textPdf('Zebrafish invoice') },
    { filename: 'b.xlsx', content: makeXlsx('Sheet', [['Quokka', 419]]) },
  ];
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 's',
    text: 't',
    attachments,
  });
  const id = await isFound('zebrafish');
  expect(await isFound('quokka')).toBe(id);
  expect((await searchStatus(server.server.deps)).files).toEqual({ done: 2 });
  await server.client.messages.delete(id);
  expect(await idsWith('zebrafish')).toEqual([]);
  expect(await server.rows('select * from attachment_texts')).toEqual([]);
});

test('a sent message is found by the text of its files', async () => {
  const inbox = await server.inbox();
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['success@simulator.postrider.test'],
    subject: 's',
    text: 't',
    attachments: [{ filename: 'plan.txt', content: Buffer.from('Our wombat plan') }],
  });
  expect(await isFound('wombat')).toBe(id);
});
