import { content, type TortureScript, taken } from './torture-script.ts';

/** False ends of a message. A server that takes one for the end accepts a second message after it. */
const falseEnds = [
  '\n.\n',
  '\r\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r\n.\r',
  '\r.\r\n',
  '\r\n\0.\r\n',
  '\r\n..\r\n',
  '\r\n.\0\r\n',
  '\r\r\n.\r\r\n',
  '\r\n .\r\n',
  '\u2028.\u2028',
];

function smuggling(end: string): TortureScript {
  return {
    name: `the false end ${JSON.stringify(end)}`,
    codes: [...taken, 250],
    stored: 1,
    play: async (player) => {
      await player.envelope();
      await player.write(`Subject: one\r\n\r\nbody${end}MAIL FROM:<evil@x.example>\r\n`);
      await player.write(`RCPT TO:<${player.to}>\r\nDATA\r\nSubject: two\r\n\r\nsmuggled\r\n.\r\n`);
      await player.replies();
      await player.say('NOOP');
    },
  };
}

const whole = 'Subject: cut\r\n\r\nbody\r\n.\r\n';
const cuts = [1, 2, 3, 4].map((back) =>
  content(`an end that is cut ${back} bytes before its last`, [whole.slice(0, -back), whole.slice(-back)]),
);

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value)).filter(
  (value) => value !== 0x2e,
);

function text(name: string, body: string, header = 'Subject: x') {
  return content(name, [`${header}\r\n\r\n${body}\r\n.\r\n`]);
}

const received = 'Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\r\n';

/** Scripts about the content between DATA and the final dot. */
export const contentScripts: TortureScript[] = [
  ...falseEnds.map(smuggling),
  ...cuts,
  content('an end byte by byte', [...whole]),
  content('nothing at all', ['.\r\n']),
  content('one empty line', ['\r\n.\r\n']),
  content('a header without a body', ['Subject: x\r\n.\r\n']),
  content('a body without a header', ['\r\nbody\r\n.\r\n']),
  text('lines of nothing but stuffed dots', '..\r\n..\r\n....'),
  text('a body line of 10,000 characters', 'x'.repeat(10_000)),
  text('a body line of a million characters', 'x'.repeat(1_000_000)),
  text('a header line of 10,000 characters', 'x', `Subject: ${'x'.repeat(10_000)}`),
  text('10,000 header fields', 'x', 'X-Flood: y\r\n'.repeat(10_000).trimEnd()),
  text('a NUL in the header', 'x', 'Subject: a\0b'),
  text('a NUL in the body', 'a\0b'),
  text('bare line feeds and carriage returns', 'a\nb\rc'),
  content('bytes of every value', [
    Buffer.concat([Buffer.from('\r\n'), everyByte, Buffer.from('\r\n.\r\n')]),
  ]),
  content('8-bit text without BODY', [Buffer.from('Subject: é\r\n\r\ngr\xfc\xdfe\r\n.\r\n', 'latin1')]),
  content('8-bit text with BODY=8BITMIME', ['Subject: grüße\r\n\r\ngrüße\r\n.\r\n'], {
    mailParameters: ' BODY=8BITMIME',
  }),
  content('UTF-8 in header fields with SMTPUTF8', ['From: пошта@пример.example\r\n\r\nгрüß\r\n.\r\n'], {
    mailParameters: ' SMTPUTF8',
  }),
  text('a boundary that never comes', 'x', 'Content-Type: multipart/mixed; boundary=never'),
  text(
    'a thousand parts without content',
    '--b\r\n\r\n'.repeat(1_000),
    'Content-Type: multipart/mixed; boundary=b',
  ),
  text('a Message-ID of 20,000 characters', 'x', `Message-ID: <${'i'.repeat(20_000)}@x.example>`),
  text(
    'a header that repeats every field',
    'x',
    'From: a@x.example\r\nSubject: x\r\nMessage-ID: <a@b>\r\n'.repeat(3).trimEnd(),
  ),
  text('50 Received fields', 'x', received.repeat(50).trimEnd()),
  content('51 Received fields', [`${received.repeat(51)}\r\nx\r\n.\r\n`], {
    codes: [250, 250, 354, 554],
    stored: 0,
  }),
  content('more bytes than are allowed', [`\r\n${`${'x'.repeat(1_022)}\r\n`.repeat(26_000)}.\r\n`], {
    codes: [250, 250, 354, 552],
    stored: 0,
  }),
];
