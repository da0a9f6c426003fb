import { makeDocx } from '@postrider/testkit/files/office-files.ts';
import { textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const mails = 20;

let home: ServerHome;

beforeAll(async () => {
  // A lease of a file is then fifteen seconds.
  home = await makeServerHome({ POSTRIDER_TIME_SCALE: '60', POSTRIDER_EMBEDDINGS: 'off' });
});
afterAll(() => home.remove());

interface Status {
  pending: number;
  files: { pending?: number; done?: number };
}
const statusOf = async () => (await home.operate('search status', {})) as Status;

test('a server that is killed while it reads attachments reads all of them after its next start', async () => {
  const server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: 'files' });
  for (let number = 0; number < mails; number += 1) {
    const attachments = [
      { filename: 'a.pdf', content: textPdf(`Page of ${number}`) },
      { filename: 'b.docx', content: makeDocx(`Document of ${number}`) },
    ];
    await sendMail(server.smtpPort, {
      from: 'ada@example.com',
      to: inbox.address,
      subject: 's',
      text: 't',
      attachments,
    });
  }
  await eventually('the first texts', async () => ((await statusOf()).files.done ?? 0) > 0, { pauseMs: 5 });
  await server.crash();
  await home.start();
  const status = await eventually(
    'all texts in the index',
    async () => {
      const now = await statusOf();
      return (
        now.pending === 0 &&
        (now.files.done ?? 0) + (now.files.pending ?? 0) >= 2 * mails &&
        !now.files.pending &&
        now
      );
    },
    { pauseMs: 200 },
  );
  expect(status.files).toEqual({ done: 2 * mails });
});
