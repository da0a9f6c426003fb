import { ask, obtain, openInbox } from '../attack-http.ts';
import { sendMail } from '../attack-mail.ts';
import { holdSockets } from '../attack-sockets.ts';
import { type Attack, type Attacker, flood } from '../attacker.ts';
import { askAndNeverRead } from './silent-connections.ts';

const mails = 200;

/** Returns a function that makes mails of one thread, with 64 KB of text and as much HTML. */
function longMail(name: string) {
  return (number: number) => {
    const line = `${'A line of a long mail, '.repeat(3)}\r\n`;
    const text = line.repeat(Math.ceil(65_000 / line.length));
    return [
      ...threadHeader(name, number),
      'Content-Type: multipart/alternative; boundary=b',
      '',
      `--b\r\nContent-Type: text/plain\r\n\r\n${text}`,
      `--b\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>`,
      '--b--',
    ].join('\r\n');
  };
}

/** Returns a function that makes mails of one thread, with nearly 1 MB of addresses in their headers. */
function addressedMail(name: string) {
  const domain = `${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const field = (letter: string) =>
    Array.from({ length: 480 }, (_, i) => `${letter}${i}@${domain}`).join(',\r\n ');
  const fields = [...'aefg'].map((letter) => `To: ${field(letter)}`);
  fields.push(...[...'hijk'].map((letter) => `Cc: ${field(letter)}`), `Reply-To: ${field('l')}`);
  return (number: number) => [...threadHeader(name, number), ...fields, '', 'text'].join('\r\n');
}

function threadHeader(name: string, number: number): string[] {
  return [
    'From: Eve <eve@attacker.example>',
    'Subject: A long thread',
    `Message-ID: <${name}-${number}@attacker.example>`,
    ...(number > 0 ? [`In-Reply-To: <${name}-0@attacker.example>`] : []),
  ];
}

/** Fills an inbox of the attacker with one thread. */
export async function fillWith(attack: Attack, make: (number: number) => string): Promise<void> {
  const { address } = await openInbox(attack, 'box');
  await sendMail(attack, { to: address, sessions: 1, count: 1, make: () => make(0) });
  await sendMail(attack, { to: address, sessions: 4, count: mails - 1, make: (number) => make(number + 1) });
}

/** Returns the paths that read everything in an inbox. */
export async function readingPaths(attack: Attack): Promise<string[]> {
  const { threads } = await obtain<{ threads: { id: string }[] }>(attack, { path: '/v1/threads?limit=1' });
  return [
    '/v1/messages?limit=100',
    `/v1/threads/${threads[0]?.id}`,
    '/v1/events?limit=100',
    '/v1/messages?subject=thread&from=attacker.example&limit=100',
  ];
}

async function readOnAndOn(attack: Attack): Promise<void> {
  const paths = await readingPaths(attack);
  await flood(attack, 20, (worker, round) =>
    ask(attack, { path: paths[(worker + round) % paths.length] as string, isList: true }),
  );
}

export const longMails: Attacker = {
  name: 'long-mails',
  about:
    'reads lists, a thread and events of 200 mails with bodies of 64 KB, 20 at once, on and on, and their events over 20 sockets',
  prepare: (attack) => fillWith(attack, longMail(attack.name)),
  attack: async (attack) => {
    const { events } = await obtain<{ events: { id: string }[] }>(attack, { path: '/v1/events?limit=1' });
    const after = events[0]?.id ?? '';
    await Promise.all([
      readOnAndOn(attack),
      holdSockets(attack, { atOnce: 20, after, framesMax: mails - 1 }),
    ]);
  },
};

export const manyAddresses: Attacker = {
  name: 'many-addresses',
  about: 'reads the same of 200 mails with nearly 1 MB of addresses in their headers',
  prepare: (attack) => fillWith(attack, addressedMail(attack.name)),
  attack: readOnAndOn,
};

export const unreadAnswers: Attacker = {
  name: 'unread-answers',
  about:
    'asks for lists of long mails over hundreds of connections, three times on each, and reads no answer',
  holdsConnections: true,
  prepare: (attack) => fillWith(attack, longMail(attack.name)),
  attack: async (attack) => {
    await askAndNeverRead(attack, await readingPaths(attack));
  },
};
