import {
  type BounceMail,
  bounceCorpus,
  bounceFixtures,
  expectedResult,
  readBounces,
} from '@postrider/testkit/mail/bounce-corpus.ts';
import { edited, someEdits } from '@postrider/testkit/mail/edit-bytes.ts';
import { deliveryReport, feedbackReport, vacationAnswer } from '@postrider/testkit/mail/made-reports.ts';
import { corpusFolder, fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstValue, readHeaderFields } from '../parse/read-header-fields.ts';
import { type MailReport, readReport } from './read-report.ts';

type Reader = (raw: Buffer) => Promise<MailReport | null>;

/** How many recipients and types of the reports a reader gets right, and of which mails it says what they do not. */
const judge = async (mails: BounceMail[], read: Reader) => {
  const tally = { told: 0, right: 0, madeUp: [] as string[] };
  for (const { file, raw, expected } of mails) {
    const report = await read(raw);
    const found = (report?.deliveries ?? []).map(
      (each) => `${each.recipient ?? each.originalRecipient} ${each.result}`,
    );
    const said = [...found, ...(report?.feedback ? [report.feedback.type] : [])];
    const told = (expected?.reports ?? []).flatMap((each) => {
      const result = expectedResult(each);
      return result === null ? [] : [`${each.recipient} ${result}`];
    });
    const wanted = [...told, ...(expected?.feedback_type ? [expected.feedback_type] : [])];
    tally.told += wanted.length;
    tally.right += wanted.filter((each) => said.includes(each)).length;
    if (said.some((each) => !wanted.includes(each))) tally.madeUp.push(file);
  }
  return tally;
};

/** The rule of a careless server: any mail of a mailer daemon is a hard bounce. */
const anyDaemon: Reader = async (raw) => {
  const from = firstValue(readHeaderFields(raw), 'from') ?? '';
  if (!/mailer-daemon|postmaster/i.test(from)) return null;
  const recipient =
    /<([^<>@\s]+@[^<>\s]+)>/.exec(raw.toString('latin1').split('\r\n\r\n').slice(1).join())?.[1] ??
    'x@y.example';
  const delivery = {
    result: 'hard',
    recipient,
    originalRecipient: null,
    status: null,
    diagnostic: null,
  } as const;
  return { deliveries: [delivery], feedback: null, messageId: null, returnPaths: [] };
};

/** Some of the other mail is a report, too. */
const hasStatus = /^content-type: message\/delivery-status/im;

const collections = [bounceFixtures, bounceCorpus()].filter((folder) => folder !== null);
if (collections.length < 2) console.log('The collection of bounces is not here: its mails are not read.');

describe('reports that nobody here wrote', () => {
  it.each(collections)('are read right, and prose is no report: %s', async (folder) => {
    const mails = readBounces(folder);
    const { told, right, madeUp } = await judge(mails, readReport);
    console.log(
      `${folder}: ${mails.length} mails, ${right} of ${told} right (${((100 * right) / told).toFixed(1)} %)`,
    );
    expect(madeUp).toEqual([]);
    expect(right / told).toBeGreaterThanOrEqual(0.97);
  });

  it.each(collections)(
    'show it when any mail from a mailer daemon is taken for a bounce: %s',
    async (folder) => {
      expect((await judge(readBounces(folder), anyDaemon)).madeUp).not.toEqual([]);
    },
  );

  it.each([fixturesFolder, corpusFolder()].filter((folder) => folder !== null))(
    'are not found in other mail: %s',
    async (folder) => {
      for (const { file, raw } of readMails(folder)) {
        if (hasStatus.test(raw.toString('latin1'))) continue;
        const report = await readReport(raw);
        expect([file, report?.deliveries.length ?? 0, report?.feedback ?? null]).toEqual([file, 0, null]);
      }
    },
  );
});

const bytes = (lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);

describe('readReport', () => {
  it('gives recipient, result, code and words, and the id of what came back', async () => {
    const returned = ['Return-Path: <Bounces+x@Sender.example>', 'Message-ID: <one@sender.example>'];
    expect(await readReport(bytes(deliveryReport({ recipient: 'Ada@Remote.example', returned })))).toEqual({
      deliveries: [
        {
          result: 'hard',
          recipient: 'ada@remote.example',
          originalRecipient: null,
          status: '5.1.1',
          diagnostic: '550 5.1.1 No such user',
        },
      ],
      feedback: null,
      messageId: '<one@sender.example>',
      returnPaths: ['bounces+x@sender.example'],
    });
  });

  it('gives the type of feedback, in lower case, and whom it names', async () => {
    const fields = ['Original-Mail-From: <b@sender.example>', 'Original-Rcpt-To: <ADA@remote.example>'];
    expect(await readReport(bytes(feedbackReport('Abuse', fields)))).toMatchObject({
      feedback: { type: 'abuse', recipients: ['ada@remote.example'], returnPath: 'b@sender.example' },
      returnPaths: ['b@sender.example'],
    });
  });

  it('is null for prose, for a report that is sent on within a mail, and for parts that cannot be read', async () => {
    const report = deliveryReport({ recipient: 'ada@remote.example' });
    const attached = ['--a', 'Content-Type: message/rfc822', '', ...report, '--a--'];
    expect(await readReport(bytes(vacationAnswer('away')))).toBeNull();
    expect(
      await readReport(bytes(['Content-Type: multipart/mixed; boundary=a', '', ...attached])),
    ).toBeNull();
    expect(
      await readReport(bytes(['Content-Type: multipart/report; boundary=a', '', 'no parts'])),
    ).toBeNull();
    expect(await readReport(Buffer.alloc(0))).toBeNull();
  });

  it('never throws and stays bounded, however a report was changed', async () => {
    const mails = readBounces(bounceFixtures).map(({ raw }) => raw);
    const changed = fc.tuple(fc.constantFrom(...mails), someEdits);
    await fc.assert(
      fc.asyncProperty(changed, async ([raw, edits]) => {
        const report = await readReport(edited(raw, edits));
        expect(report?.deliveries.length ?? 0).toBeLessThanOrEqual(100);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('takes no more than 100 recipients of a report of megabytes, within a second of computing', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => [
      `Final-Recipient: rfc822; r${n}@x.example`,
      'Action: failed',
      '',
    ]);
    const lines = deliveryReport({ recipient: 'ada@remote.example' });
    const at = lines.findIndex((line) => line.startsWith('Final-Recipient'));
    const raw = bytes([...lines.slice(0, at), ...many.flat(), ...lines.slice(at)]);
    const before = process.threadCpuUsage();
    expect((await readReport(raw))?.deliveries).toHaveLength(100);
    expect(process.threadCpuUsage(before).user / 1e3).toBeLessThan(1_000);
  });
});
