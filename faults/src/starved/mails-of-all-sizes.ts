import { signMail } from '@postrider/testkit/mail/signed-mail.ts';
import type { MadeMail } from '@postrider/testkit/smtp/steady-intake.ts';

/** The domain that signs every tenth mail. */
export const signer = 'sender.example';

const bytes = { least: 180, most: 800_000 };

/**
 * Makes mails of all sizes, from 180 bytes to 800 KB and each as likely: plain text, HTML, and mails with a file. Every tenth is signed.
 */
export async function mailsOfAllSizes(count: number, to: string, random: () => number): Promise<MadeMail[]> {
  const mails: MadeMail[] = [];
  for (let number = 0; number < count; number++) {
    const size = bytes.least * (bytes.most / bytes.least) ** random();
    const raw = makeMail(number, to, Math.ceil(size));
    const isSigned = number % 10 === 0;
    mails.push({ messageId: mailId(number), raw: Buffer.from(isSigned ? await signMail(raw, signer) : raw) });
  }
  return mails;
}

function mailId(number: number): string {
  return `<starved-${number}@${signer}>`;
}

function makeMail(number: number, to: string, size: number): string {
  const kind = number % 3;
  const line = 'Some words of a line, and a number: 4711.';
  const text = `${line}\r\n`.repeat(Math.ceil(size / (line.length + 2)));
  const head = [
    `From: Ada <ada@${signer}>`,
    `To: ${to}`,
    `Subject: Mail ${number}`,
    `Message-ID: ${mailId(number)}`,
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  ];
  const bodies = [
    ['Content-Type: text/plain', '', text],
    ['Content-Type: text/html', '', text.replaceAll(line, `<p>${line}</p>`)],
    [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      line,
      '--b',
      'Content-Type: application/pdf; name=file.pdf',
      'Content-Disposition: attachment; filename=file.pdf',
      '',
      text,
      '--b--',
      '',
    ],
  ];
  return [...head, ...bodies[kind]!].join('\r\n');
}
