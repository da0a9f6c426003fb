import { openInbox } from '../attack-http.ts';
import { sendMail } from '../attack-mail.ts';
import type { Attacker } from '../attacker.ts';

const parts = 900;
const mailsMax = 1_500;

function mailOfParts(name: string): string {
  const part = (number: number) =>
    `--b\r\nContent-Type: text/plain; name=f${number}.txt\r\nContent-Disposition: attachment; filename=f${number}.txt\r\n\r\nPart ${number}\r\n`;
  return [
    'From: Eve <eve@attacker.example>',
    'Subject: Many parts',
    `Message-ID: <${name}@attacker.example>`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    `${Array.from({ length: parts }, (_, number) => part(number)).join('')}--b--`,
  ].join('\r\n');
}

export const manyParts: Attacker = {
  name: 'many-parts',
  about: 'sends mails of 900 attached parts to an inbox of its own, by 10 sessions',
  attack: async (attack) => {
    const { address } = await openInbox(attack, 'box');
    const run = `${attack.name}-${Date.now()}`;
    await sendMail(attack, {
      to: address,
      sessions: 10,
      most: mailsMax,
      make: (number) => mailOfParts(`${run}-${number}`),
    });
  },
};
