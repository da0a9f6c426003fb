import { expect, test } from 'vitest';
import { decodeUnlabelled } from './decode-unlabelled.ts';
import { allValues, firstValue, readHeader, readHeaderFields } from './read-header-fields.ts';

const read = (text: string | Buffer) => readHeaderFields(Buffer.from(text as string));

test('reads names in lower case and unfolds values, with either line end', () => {
  for (const eol of ['\r\n', '\n'])
    expect(
      read(['Subject: one', '\ttwo', ' three', 'X-EMPTY:', 'To :a@b.c', '', 'Not: header', ''].join(eol)),
    ).toEqual([
      { name: 'subject', value: 'one\ttwo three' },
      { name: 'x-empty', value: '' },
      { name: 'to', value: 'a@b.c' },
    ]);
});

test('leaves out lines that are no fields, with what continues them', () => {
  expect(read('From anna Mon Nov 20\nno colon here\n continued\n: no name\nSubject: x\n')).toEqual([
    { name: 'subject', value: 'x' },
  ]);
});

test('a mail that is only a header, or nothing, has a header', () => {
  expect(read('Subject: x')).toEqual([{ name: 'subject', value: 'x' }]);
  expect(read('')).toEqual([]);
  expect(read('\r\nbody: text')).toEqual([]);
});

test('bytes that are not UTF-8 are taken for windows-1252, value by value', () => {
  const raw = Buffer.concat([Buffer.from('A: caf\xe9 \x80\r\n', 'latin1'), Buffer.from('B: café\r\n')]);
  expect(read(raw).map(({ value }) => value)).toEqual(['café €', 'café']);
  expect(decodeUnlabelled(Buffer.from([0xff, 0xfe]))).toBe('ÿþ');
});

test('of a long value the beginning is kept, of References the end and the oldest ids', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `<${i}@x.y>`).join(' ');
  const fields = read(`Subject: ${'s'.repeat(200_000)}\r\nReferences: ${ids}\r\n\r\n`);
  expect(firstValue(fields, 'subject')).toHaveLength(131_072 - 1);
  expect(firstValue(fields, 'references')).toMatch(/^<0@x\.y> <1@x\.y> .*<19999@x\.y>$/);
});

test('a flood of fields ends at 2,000', () => {
  expect(read('X: y\r\n'.repeat(100_000))).toHaveLength(2_000);
});

test('a flood of fields does not crowd out those that matter', () => {
  const fields = read(`${'X: y\r\n'.repeat(15_000)}From: a@b.c\r\n\r\n`);
  expect(firstValue(fields, 'from')).toBe('a@b.c');
});

test.each([
  ['an empty line', 'A: b\r\n\r\nbody'],
  ['a line of white space with no field behind it', 'A: b\r\n \t\r\nbody'],
  ['a delimiter', 'A: b\r\nbody'.replace('body', '--body')],
])('the body begins behind %s', (_what, raw) => {
  expect(raw.slice(readHeader(Buffer.from(raw)).bodyStart)).toMatch(/^(?:--)?body$/);
});

test('a line of white space before a field continues the one above', () => {
  expect(read('A: b\r\n \r\nC: d\r\n\r\n').map(({ name }) => name)).toEqual(['a', 'c']);
});

test('finds values by name, the first that says something and all of them', () => {
  const fields = read('From:\r\nFrom: a@b.c\r\nFrom: d@e.f\r\n\r\n');
  expect(firstValue(fields, 'from')).toBe('a@b.c');
  expect(firstValue(fields, 'to')).toBeNull();
  expect(allValues(fields, 'from')).toEqual(['', 'a@b.c', 'd@e.f']);
});
