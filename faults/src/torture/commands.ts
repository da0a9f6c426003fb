import { lines, type TortureScript, taken } from './torture-script.ts';

const from = 'MAIL FROM:<ada@sender.example>';
function mailbox(to: string) {
  return `RCPT TO:<${to}>`;
}
const message = 'Subject: x\r\n\r\nbody\r\n.\r\n';

/** Creates a script of a whole transaction that differs in one command. */
function variant(
  name: string,
  mail: string,
  rcpt: (to: string) => string,
  more: Partial<TortureScript> = {},
): TortureScript {
  return {
    name,
    codes: taken,
    stored: 1,
    play: async (player) => {
      await player.say(mail, rcpt(player.to), 'DATA');
      await player.write(message);
      await player.replies();
    },
    ...more,
  };
}

const orders: TortureScript[] = [
  lines('RCPT before MAIL', (to) => [mailbox(to)], [503]),
  lines('DATA before RCPT', () => [from, 'DATA'], [250, 503]),
  lines('DATA before MAIL', () => ['DATA'], [503]),
  lines('MAIL twice', () => [from, from], [250, 503]),
  lines('RSET forgets the envelope', (to) => [from, mailbox(to), 'RSET', 'DATA'], [250, 250, 250, 503]),
  lines(
    'EHLO forgets the envelope',
    (to) => [from, mailbox(to), 'EHLO b.example', 'DATA'],
    [250, 250, 250, 503],
  ),
  lines('RSET without anything', () => ['RSET', 'RSET', 'NOOP'], [250, 250, 250]),
];

const syntax: TortureScript[] = [
  lines('a command of 10,000 characters', () => ['A'.repeat(10_000), 'NOOP'], [500, 250]),
  lines('an address of 10,000 characters', () => [`MAIL FROM:<${'a'.repeat(10_000)}@x.example>`], [501]),
  lines('a NUL in a command', () => ['MAIL FROM:<a\0b@x.example>', 'NOOP'], [501, 250]),
  lines('MAIL without a path', () => ['MAIL FROM:'], [501]),
  lines('RCPT without a path', () => [from, 'RCPT TO:<>'], [250, 501]),
  lines('an empty line', () => ['', 'NOOP'], [500, 250]),
  lines('an unknown body type', () => [`${from} BODY=BINARYMIME`], [501]),
  lines('a SIZE that is no number', () => [`${from} SIZE=many`], [501]),
  lines('a SIZE over the limit', () => [`${from} SIZE=99999999999`], [552]),
  lines(
    'parameters of MAIL that were not offered',
    () => [`${from} RET=FULL`, `${from} FOO=bar`, `${from} AUTH=<>`],
    [555, 555, 555],
  ),
  lines(
    'a parameter of RCPT that was not offered',
    (to) => [from, `${mailbox(to)} NOTIFY=NEVER`],
    [250, 555],
  ),
  lines('AUTH', () => ['AUTH PLAIN AGEAYg=='], [500]),
  lines('BDAT', () => ['BDAT 4 LAST'], [500]),
  lines('EXPN, TURN and ETRN', () => ['EXPN list', 'TURN', 'ETRN x'], [500, 500, 500]),
  lines('VRFY', () => ['VRFY agent'], [252]),
  lines('mail for somebody elsewhere', () => [from, 'RCPT TO:<bob@elsewhere.example>'], [250, 550]),
  lines(
    'a percent sign that asks to relay',
    () => [from, 'RCPT TO:<bob%elsewhere.example@postrider.test>'],
    [250, 550],
  ),
];

const accepted: TortureScript[] = [
  variant('verbs in lower case', from.toLowerCase(), (to) => `rcpt to:<${to}>`),
  variant('no sender', 'MAIL FROM:<>', mailbox),
  variant('a SIZE that fits', `${from} SIZE=1000`, mailbox),
  variant('a plus tag', from, (to) => mailbox(to.replace('@', '+tag@'))),
  variant('an address in capitals', from, (to) => mailbox(to.toUpperCase())),
  {
    name: 'the same recipient three times',
    codes: [250, 250, 250, 250, 354, 250],
    stored: 1,
    play: async (player) => {
      await player.say(from, mailbox(player.to), mailbox(player.to), mailbox(player.to), 'DATA');
      await player.write(message);
      await player.replies();
    },
  },
  {
    name: 'a recipient that exists between two that do not',
    codes: [250, 550, 250, 550, 354, 250],
    stored: 1,
    play: async (player) => {
      const nobody = mailbox('nobody-is-here@postrider.test');
      await player.say(from, nobody, mailbox(player.to), nobody, 'DATA');
      await player.write(message);
      await player.replies();
    },
  },
  {
    name: 'HELO instead of EHLO',
    codes: [220, 250, ...taken],
    stored: 1,
    play: async (player) => {
      await player.connect();
      await player.replies();
      await player.say('HELO old.example');
      await player.envelope();
      await player.write(message);
      await player.replies();
    },
  },
];

const pipelined: TortureScript[] = [
  {
    name: 'a whole session in one write',
    codes: [250, 250, 354, 250, 221],
    stored: 1,
    play: async (player) => {
      await player.write(`${from}\r\n${mailbox(player.to)}\r\nDATA\r\n${message}QUIT\r\n`);
      await player.replies(5);
    },
  },
  {
    name: 'three messages in one write',
    codes: [...taken, ...taken, ...taken],
    stored: 3,
    play: async (player) => {
      const one = (number: number) =>
        `${from}\r\n${mailbox(player.to)}\r\nDATA\r\nSubject: ${number}\r\n\r\n${number}\r\n.\r\n`;
      await player.write([1, 2, 3].map(one).join(''));
      await player.replies(12);
    },
  },
  {
    name: 'two envelopes of which the first is taken back, in one write',
    codes: [250, 250, 250, ...taken],
    stored: 1,
    play: async (player) => {
      const envelope = `${from}\r\n${mailbox(player.to)}\r\n`;
      await player.write(`${envelope}RSET\r\n${envelope}DATA\r\n${message}`);
      await player.replies(7);
    },
  },
  {
    name: '1,000 recipients, of which 100 are taken',
    codes: [250, ...Array(100).fill(250), ...Array(900).fill(452), 354, 250],
    stored: 1,
    play: async (player) => {
      await player.say(from);
      const tagged = (index: number) => `${mailbox(player.to.replace('@', `+${index}@`))}\r\n`;
      await player.write(Array.from({ length: 1_000 }, (_, index) => tagged(index)).join(''));
      await player.replies(1_000);
      await player.say('DATA');
      await player.write(message);
      await player.replies();
    },
  },
  {
    name: 'a message in pieces of one byte with commands of the next behind it',
    codes: [...taken, 250],
    stored: 1,
    play: async (player) => {
      await player.envelope();
      for (const byte of message) await player.write(byte);
      await player.write(`${from}\r\n`);
      await player.replies(2);
    },
  },
];

/** Scripts about commands. */
export const commandScripts: TortureScript[] = [...orders, ...syntax, ...accepted, ...pipelined];
