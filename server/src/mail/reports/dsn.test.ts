import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDeliveryStatus } from './report-parts.ts';

const read = (...lines: string[]) => readDeliveryStatus(Buffer.from(lines.join('\r\n')));
const group = (action: string, status: string | null, more: string[] = []) => [
  'Final-Recipient: rfc822; ada@x.example',
  `Action: ${action}`,
  ...(status === null ? [] : [`Status: ${status}`]),
  ...more,
];

it.each([
  ['failed', '5.1.1', 'hard'],
  ['FAILED (bad mailbox)', '5.1.1 (no such user)', 'hard'],
  ['failed', null, 'hard'],
  ['failed', 'unknown', 'hard'],
  ['failed', '4.4.7', 'soft'],
  ['delayed', '4.4.1', 'delayed'],
  ['delivered', '2.0.0', 'delivered'],
  ['relayed', '2.0.0', 'relayed'],
  ['expanded', '2.0.0', 'relayed'],
])('an action %s with status %s is %s', (action, status, result) => {
  expect(read(...group(action, status)).map((each) => each.result)).toEqual([result]);
});

it.each([
  ['failed', '2.0.0'],
  ['deliverable', '2.1.5'],
  ['', '5.1.1'],
])('an action "%s" with status %s says nothing', (action, status) => {
  expect(read(...group(action, status))).toEqual([]);
});

it('one report tells of several recipients, and fields of the message or of nobody are none', () => {
  const found = read(
    'Reporting-MTA: dns; mx.x.example',
    '',
    ...group('failed', '5.1.1'),
    ' ',
    '',
    'Action: failed',
    '',
    'Original-Recipient: rfc822;Bob@X.Example',
    'Action: failed',
  );
  expect(found.map(({ recipient, originalRecipient }) => [recipient, originalRecipient])).toEqual([
    ['ada@x.example', null],
    [null, 'bob@x.example'],
  ]);
});

it.each([
  ['rfc822; Ada@X.Example', 'ada@x.example'],
  ['RFC822;<ada@x.example>', 'ada@x.example'],
  ['rfc822; ada@x.example (Ada)', 'ada@x.example'],
  ['<ada@x.example>', 'ada@x.example'],
  ['utf-8; j\\x{FC}rgen@x.example', 'jürgen@x.example'],
  ['utf-8; \\x{FFFFFF}@x.example', '\\x{ffffff}@x.example'],
  ['x400; /C=US/O=Example;/S=Ada', '/c=us/o=example;/s=ada'],
  ['rfc822; /var/spool/ada', '/var/spool/ada'],
  ['rfc/822;ada@x.example', undefined],
  ['rfc822;', undefined],
])('the recipient "%s" is %s', (written, recipient) => {
  expect(read(`Final-Recipient: ${written}`, 'Action: failed')[0]?.recipient).toBe(recipient);
});

it('what the server said comes without its type, on one line, cut, and without what a database cannot hold', () => {
  const said = (text: string) =>
    read(...group('failed', '5.0.0', [`Diagnostic-Code: ${text}`]))[0]?.diagnostic;
  expect(said('smtp; 550 5.1.1\r\n  No such user')).toBe('550 5.1.1 No such user');
  expect(said('550 a\0b')).toBe('550 ab');
  expect(said('smtp;')).toBeNull();
  expect(said(`x-unix; ${'é'.repeat(5_000)}`)).toHaveLength(1_000);
});

it('any bytes are read, in a bounded time', () => {
  const word = fc.constantFrom(
    'Final-Recipient:',
    'Action:',
    'Status:',
    'failed',
    'rfc822;',
    '5.1.1',
    '(',
    '\\x{',
    '<',
    '\r\n',
    '\n\n',
    ' ',
    ';',
  );
  const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 200 });
  fc.assert(
    fc.property(text, (words) => {
      for (const { recipient, diagnostic } of readDeliveryStatus(Buffer.from(words.join('')))) {
        expect((recipient ?? '').length).toBeLessThanOrEqual(320);
        expect((diagnostic ?? '').length).toBeLessThanOrEqual(1_000);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
  const passes = measurePasses(() => {
    for (const hostile of ['(', ' (', '\\x{', '<', '\n ', '\n\n', ';', 'a.'])
      read(`Final-Recipient: rfc822; ${hostile.repeat(1_000_000)}`, 'Action: failed');
  });
  expect(passes).toBeLessThan(textPassesMax);
});
