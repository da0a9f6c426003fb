import { fileURLToPath } from 'node:url';
import { type Correspondent, startCorrespondent } from '@postrider/example-correspondent';
import { startProgram } from '@postrider/example-start-server/program';
import { type RestartableServer, startRestartableServer } from '@postrider/example-start-server/restartable';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('look-up.ts', import.meta.url));

let ada: Correspondent;
let server: RestartableServer;

beforeAll(async () => {
  ada = await startCorrespondent();
  server = await startRestartableServer();
  const client = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
  const inbox = await client.inboxes.create({ local_part: 'desk' });
  const write = (subject: string, text: string, attachments: { filename: string; content: string }[] = []) =>
    ada.send(server.smtpPort, { from: 'ada@engine.example', to: inbox.address, subject, text, attachments });
  await write('Delivery of order EN-1843', 'The parcel leaves on Tuesday and arrives on Thursday.');
  await write('Our terms', 'You find them in the file.', [
    { filename: 'terms.txt', content: 'Complaints go to the foreman of the workshop within ten days.' },
  ]);
  await write('Lunch', 'Shall we meet at noon?');
  await client.messages.search('noon', { inbox_id: inbox.id, wait_seconds: 30 });
  await client.messages.search('foreman', { inbox_id: inbox.id, wait_seconds: 30 });
});
afterAll(async () => {
  await server?.remove();
  await ada?.stop();
});

const lookUp = async (question: string) => {
  const { lines, ended } = startProgram([program, 'desk@postrider.test', question], server);
  await ended;
  return lines.join('\n');
};

test('prints the mail that has the answer, and that its sender is not proven', async () => {
  const found = await lookUp('order EN-1843');
  expect(found).toMatch(/^--- \d{4}-\d\d-\d\d, said to be from ada@engine\.example, not proven/);
  expect(found).toContain('Found: Delivery of **order** **EN-1843**');
  expect(found).toContain('The parcel leaves on Tuesday and arrives on Thursday.');
});

test('names the file that has the answer', async () => {
  expect(await lookUp('complaints to the foreman')).toContain('Found in the file: terms.txt');
});

test('says that there is nothing', async () => {
  expect(await lookUp('-parcel -file -noon')).toBe('Nothing in this inbox is about that.');
});
