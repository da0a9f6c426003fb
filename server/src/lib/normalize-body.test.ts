import { expect, test } from 'vitest';
import { normalizeBody } from './texts.ts';

test('every line ends with CRLF, whichever way it ended before', () => {
  expect(normalizeBody('a\nb\r\nc\rd\n\re')).toBe('a\r\nb\r\nc\r\nd\r\n\r\ne');
});

test('half of a surrogate pair becomes a replacement character, and a pair stays', () => {
  expect(normalizeBody('\ud83d \ud83d\ude00 \ude00')).toBe('\ufffd \ud83d\ude00 \ufffd');
});

test('a long body becomes what a short one does, wherever it is cut into pieces', () => {
  for (const line of ['\r\n', '\r', '\n', 'ab\r\n', 'é\r\nx\r', '\ud83d\ude00', '\ud83d', '\ude00 \r'])
    for (const before of ['', 'x'])
      expect(normalizeBody(before + line.repeat(70_000))).toBe(before + normalizeBody(line).repeat(70_000));
});
