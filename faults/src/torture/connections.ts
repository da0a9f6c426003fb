import { setTimeout as sleep } from 'node:timers/promises';
import { type TortureScript, taken } from './torture-script.ts';

const half = 'Subject: half\r\n\r\nand the';
const message = 'Subject: x\r\n\r\nbody\r\n.\r\n';

/** Scripts about how a connection begins and ends. */
export const connectionScripts: TortureScript[] = [
  {
    name: 'talk before the greeting',
    codes: [421, null],
    stored: 0,
    play: async (player) => {
      const early = await player.connect();
      early.write(`EHLO hasty.example\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${player.to}>\r\nDATA\r\n`);
      await player.replies();
      await player.closed();
    },
  },
  {
    name: 'a line without end',
    codes: [421, null],
    stored: 0,
    play: async (player) => {
      await player.write('A'.repeat(40_000));
      await player.replies();
      await player.closed();
    },
  },
  {
    name: 'an HTTP request',
    codes: [421, null],
    stored: 0,
    play: async (player) => {
      await player.write('POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<a@b.example>\r\n');
      await player.replies();
      await player.closed();
    },
  },
  {
    name: 'nonsense without end',
    codes: [...Array(9).fill(500), 421, null],
    stored: 0,
    play: async (player) => {
      await player.write('NONSENSE\r\n'.repeat(10));
      await player.replies(10);
      await player.closed();
    },
  },
  {
    name: 'silence of a second, and then a message',
    codes: taken,
    stored: 1,
    play: async (player) => {
      await player.client();
      await sleep(1_000);
      await player.envelope();
      await player.write(message);
      await player.replies();
    },
  },
  {
    name: 'half a message and a closed side',
    codes: [250, 250, 354, null],
    stored: 0,
    play: async (player) => {
      await player.envelope();
      await player.write(half);
      (await player.client()).halfClose();
      await player.closed();
    },
  },
  {
    name: 'half a message and nobody there',
    codes: [250, 250, 354],
    stored: 0,
    play: async (player) => {
      await player.envelope();
      await player.write(half);
    },
  },
  {
    name: 'a message that ends in CRLF without its dot, and a closed side',
    codes: [250, 250, 354, null],
    stored: 0,
    play: async (player) => {
      await player.envelope();
      await player.write('Subject: x\r\n\r\nbody\r\n');
      (await player.client()).halfClose();
      await player.closed();
    },
  },
  {
    name: 'QUIT within an envelope',
    codes: [250, 250, 221, null],
    stored: 0,
    play: async (player) => {
      await player.say('MAIL FROM:<a@sender.example>', `RCPT TO:<${player.to}>`, 'QUIT');
      await player.closed();
    },
  },
  {
    name: 'STARTTLS and a message',
    codes: [220, 250, ...taken],
    stored: 1,
    play: async (player) => {
      await player.say('STARTTLS');
      await (await player.client()).secure();
      await player.say('EHLO secure.example');
      await player.envelope();
      await player.write(message);
      await player.replies();
    },
  },
  {
    name: 'STARTTLS after a sender, which is forgotten',
    codes: [250, 220, 250, 503],
    stored: 0,
    play: async (player) => {
      await player.say('MAIL FROM:<a@sender.example>', 'STARTTLS');
      await (await player.client()).secure();
      await player.say('EHLO secure.example', `RCPT TO:<${player.to}>`);
    },
  },
];
