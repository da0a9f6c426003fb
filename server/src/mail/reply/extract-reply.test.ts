import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { describe, expect, test } from 'vitest';
import { replyCases, wholeTexts } from '../../../test/fixtures/mail/replies.ts';
import { extractReply } from './extract-reply.ts';

test.each(replyCases.map((one) => [one.client, one] as const))(
  '%s',
  (_client, { text, html, subject, reply }) => {
    expect(
      extractReply(text ?? null, html ?? null, {
        answers: true,
        ...(subject === undefined ? {} : { subject }),
      }),
    ).toBe(reply);
  },
);

test.each(wholeTexts)('keeps all of %j', (text) => {
  expect(extractReply(text, null)).toBe(text.trim());
});

describe('nothing is left out of mail that answers nothing', () => {
  const notice =
    'we received a sign-in attempt for ada@x.example on Jan 5, 2026 at 10:00 AM. Your code is:\n\n482913';
  const announced = 'On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@x.example> wrote:';

  test.each([
    ['a code below a sentence with date and address', notice],
    ['an order', 'Order 4711 of 5.1.2026, 10:00 (account ada@x.example) contains:\n\n2 pumps'],
    ['prose that ends in "wrote:"', 'On Jan 5, 2026 at 10:00 AM our committee wrote:\n\nwe will not.'],
    ['what a client would announce, without a marked quotation', `${announced}\n\nThe pump is broken.`],
    [
      'a header that was pasted',
      'From: Bob <bob@x.example>\nSent: Monday\nTo: Ada\nSubject: pump\n\nIt is broken.',
    ],
    ['a signature', 'Hello\n\n-- \nAda'],
    ['lines with marks that nobody announces', 'The log says:\n> disk full\n\nPlease help.'],
  ])('%s', (_what, text) => {
    expect(extractReply(text, null, { subject: 'News' })).toBe(text);
    const html = `<p>${text.replaceAll('<', '&lt;').replaceAll('\n\n', '</p><p>').replaceAll('\n', '<br>')}</p>`;
    expect(extractReply(null, html, { subject: 'News' })?.replaceAll('\n\n', '\n')).toBe(
      text.replaceAll('\n\n', '\n').replace('-- \n', '--\n'),
    );
  });

  test('a notice is kept whole in a reply too, since its sentence has no verb of an attribution', () => {
    expect(extractReply(notice, null, { answers: true })).toBe(notice);
  });

  test.each([
    ['its header', { answers: true }],
    ['its subject', { subject: 'Re: pump' }],
    ['its subject, in another language, behind the tag of a list', { subject: '[pumps] AW: Pumpe' }],
    ['marked lines below the sentence of a client', {}],
  ])('what answers is told by %s', (_what, context) => {
    expect(extractReply(`Yes.\n\n${announced}\n\n> Lunch?`, null, context)).toBe('Yes.');
  });

  test('"VS:" answers in Finnish and forwards in Danish', () => {
    const finnish = 'Kyllä.\n\nLähettäjä: A <a@x.example>\nLähetetty: 5.1.2026\nAihe: Pumppu\n\nVanha';
    expect(extractReply(finnish, null, { subject: 'VS: Pumppu' })).toBe('Kyllä.');
    const danish = 'Se her.\n\nFra: A <a@x.example>\nSendt: 5.1.2026\nEmne: Pumpe\n\nGammel';
    expect(extractReply(danish, null, { subject: 'VS: Pumpe', answers: true })).toBe(danish);
  });
});

const answering = { answers: true };
const onMonday = 'On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@x.example> wrote:';

test.each([
  [
    'that begin with a word of such sentences',
    `Hello Bob,\nDo not ship order 4711.\nCancel it and refund me.\n${onMonday}`,
    'Hello Bob,\nDo not ship order 4711.\nCancel it and refund me.',
  ],
  [
    'in German',
    'Am Montag bin ich da.\nAm 05.01.2026 um 10:00 schrieb Bob <bob@x.example>:',
    'Am Montag bin ich da.',
  ],
  ['that begin with a number', `42 is the code\n${onMonday}`, '42 is the code'],
  ['with an address', `ask ada@x.example\n${onMonday}`, 'ask ada@x.example'],
  [
    'above a sentence that is wrapped',
    'To be clear: no\nOn Mon, Jan 5, 2026 at 10:00 AM Bob of the Pumps\n<bob@x.example> wrote:',
    'To be clear: no',
  ],
  [
    'above a sentence that is wrapped in its date',
    'So no\nOn Mon, Jan 5,\n2026 at 10:00 AM Bob <bob@x.example> wrote:',
    'So no',
  ],
  ...['At noon', 'On Monday', 'Am Montag', 'On June 5', 'La semana'].map((answer) => [
    `of two words that could begin a date: ${answer}`,
    `${answer}\n${onMonday}`,
    answer,
  ]),
  [
    'of two words above a sentence that begins with the name',
    'At noon\nBob <bob@x.example> schrieb am 5.1.2026 10:00:',
    'At noon',
  ],
  [
    'with an address above a sentence that begins with one',
    'Ask ada@x.example\nbob@x.example schrieb am 5.1.2026 10:00:',
    'Ask ada@x.example',
  ],
  [
    'with a date above a sentence that has one',
    'Not before 6 Jan 2026\nbob@x.example schrieb am 5.1.2026 10:00:',
    'Not before 6 Jan 2026',
  ],
  [
    'above a sentence that is wrapped behind its weekday',
    'Gut\nAm Mo.\n5. Jan. 2026 um 10:00 schrieb Bob <bob@x.example>:',
    'Gut',
  ],
  [
    'above a sentence that begins with the name',
    'La facture suit\nŞule <s@x.example>, 5 Oca 2026 Pzt, 10:00 tarihinde\nşunu yazdı:',
    'La facture suit',
  ],
])('lines of the author right above the attribution stay: %s', (_what, text, reply) => {
  expect(extractReply(`${text}\n> Lunch?\n`, null, answering)).toBe(reply);
});

test('and in HTML, where each of them is an element', () => {
  const html = `<div>Do not ship it</div><div>${onMonday.replace('<', '&lt;')}</div><blockquote>Lunch?</blockquote>`;
  expect(extractReply(null, html, answering)).toBe('Do not ship it');
});

test('what a person writes into the element that Thunderbird keeps for the attribution stays', () => {
  const html =
    '<div class="moz-cite-prefix">Please refund order 4711.<br></div><div class="moz-cite-prefix">On 1/5/26 10:00, Bob wrote:<br></div><blockquote type="cite">Lunch?</blockquote>';
  expect(extractReply(null, html, answering)).toBe('Please refund order 4711.');
  const one = html.replace('<br></div><div class="moz-cite-prefix">', '<br>');
  expect(extractReply(null, one, answering)).toBe('Please refund order 4711.');
});

test('where nothing would be left below an attribution without a marked quotation, all is kept', () => {
  for (const first of ['It was 14:00:54 on 5.1.2026 when bob@x.example said this:', onMonday]) {
    const text = `${first}\n\n BX> The pump is broken\n\nA new one is on its way.`;
    expect(extractReply(text, null, answering)).toBe(text);
  }
});

test('an answer below lines that are quoted by initials stays, also below a greeting', () => {
  const text = `Hi Bob,\n\n${onMonday}\n\n BX> The pump is broken\n\nA new one is on its way.`;
  expect(extractReply(text, null, answering)).toBe(text);
});

test('an attribution that is wrapped inside of its address goes', () => {
  const text = 'Ja.\n\nAm 05.01.2026 10:00 schrieb "Bob" <bob@x.example\n>:\n\n> Hallo';
  expect(extractReply(text, null, answering)).toBe('Ja.');
});

test('a comment that a machine announces stays, and what it quotes in marked lines goes', () => {
  const comment = `Hello Ada,\n\n${onMonday}\n\nThe pump is broken.`;
  expect(extractReply(comment, null, { ...answering, automatic: true })).toBe(comment);
  const quoting = `Broken again.\n\n${onMonday}\n> Is it?`;
  expect(extractReply(quoting, null, { ...answering, automatic: true })).toBe('Broken again.');
});

test('a block of code stays as it is', () => {
  const code = 'Run this:\n\n```\n> ls\n```';
  expect(extractReply(`${code}\n\n${onMonday}\n> old`, null, answering)).toBe(code);
});

test('a name and a verb announce only what is marked on the next line', () => {
  expect(extractReply('As Knuth wrote:\n\n> old\n\nwait.', null, answering)).toBe('As Knuth wrote:\n\nwait.');
  expect(extractReply('Knuth wrote:\n> old\n\nwait.', null, answering)).toBe('wait.');
});

test.each([
  ['a warehouse', 'Three boxes.\n\nSent from our warehouse'],
  ['a list after two dashes', 'Points:\n--\nthe price is high.\nthe date is late.'],
  ['a line of underscores', `Above.\n${'_'.repeat(30)}\nBelow.`],
])('what only looks like a signature stays: %s', (_what, text) => {
  expect(extractReply(text, null, answering)).toBe(text);
});

test('a mail without a body has no new text, an empty one has an empty one', () => {
  expect(extractReply(null, null)).toBeNull();
  expect(extractReply('', null)).toBe('');
  expect(extractReply(null, '<p>only <b>HTML</b></p>')).toBe('only HTML');
});

test('no more than a quarter of a million characters are looked at', () => {
  for (const context of [{}, { answers: true }, { subject: 'Fwd: x' }])
    expect(extractReply('x'.repeat(500_000), null, context)?.length).toBe(250_000);
});

const piece = (text: string) => [text.slice(0, 20), text] as const;
test.each([
  piece('\n'),
  piece('>'),
  piece('>\n'),
  piece('> x\n\n'),
  piece('a:\n'),
  piece('On a:\n'),
  piece('x wrote:\n'),
  piece('On Mon, 20 Nov 2026 10:00 x\nwrote\n'),
  piece(`${'-'.repeat(190)}\n`),
  piece('--\n'),
  piece('From: a\nTo: b\n\n'),
  piece('Sent from my x\n'),
  piece('<a@b.c>:\n'),
  piece(' '),
  piece('\u200e'),
  piece('\ue000\n'),
  piece('\ue002\n'),
  piece('*'),
  piece('```\n'),
  piece('<a@b.c\n>:\n'),
  piece('a@b.c 2026 10:00:  x\n'),
  piece('x\n1/1/2026 10:00\n'),
])('a megabyte of %j is done in little time', (_name, text) => {
  const hostile = text.repeat(Math.floor(1_000_000 / text.length));
  expect(measurePasses(() => extractReply(hostile, null, { answers: true }))).toBeLessThan(textPassesMax);
  expect(measurePasses(() => extractReply(null, `<blockquote>${hostile}`, { answers: true }))).toBeLessThan(
    textPassesMax,
  );
});

describe('lines of help desks', () => {
  const answers = { answers: true };

  test('end the new text, and are left out where it is below them', () => {
    const line = '##- Please type your reply above this line -##';
    expect(extractReply(`It works now.\n\n${line}\n\nYour request was updated.`, null, answers)).toBe(
      'It works now.',
    );
    expect(extractReply(`${line}\n\nIt works now.`, null, answers)).toBe('It works now.');
    expect(extractReply(`${line}\n\nIt works now.`, null)).toBe(`${line}\n\nIt works now.`);
    expect(
      extractReply(
        'Fixed.\n\n—\nReply to this email directly, view it on GitHub, or unsubscribe.',
        null,
        answers,
      ),
    ).toBe('Fixed.');
  });

  test.each([
    'I always reply above this line of text, as you know.',
    'Please sign above this line.',
    'The answer is above this line in the table.',
  ])('are not what a person writes: %s', (line) => {
    expect(extractReply(`Hello\n\n${line}\n\nBob`, null, answers)).toBe(`Hello\n\n${line}\n\nBob`);
  });
});

test.each(['|', '¦', ':', '}', '»', '%'])(
  'answers between lines that are quoted with %j are kept',
  (mark) => {
    const quoted = `On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@x.example> wrote:\n${mark} Is it red?\n${mark} Or blue?\n\nRed.\n\n${mark} When?\n\nToday.`;
    expect(extractReply(quoted, null, { answers: true })).toBe('Red.\n\nToday.');
  },
);

test('a table in an answer, and a list without marks, are read as before', () => {
  const announced = 'On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@x.example> wrote:';
  const table = '| a | b |\n| 1 | 2 |';
  expect(extractReply(`${table}\n\n${announced}\n> Is it red?`, null, { answers: true })).toBe(table);
  expect(extractReply(`Yes.\n\n${announced}\n- one\n- two\n\nBob`, null, { answers: true })).toBe('Yes.');
});
