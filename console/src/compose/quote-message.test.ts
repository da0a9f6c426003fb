import { expect, it } from 'vitest';
import { joinQuote, quoteMessage, splitQuote } from './quote-message.ts';

const message = {
  from_addr: 'ada@example.com',
  from_name: 'Ada',
  created_at: '2026-11-20T09:30:00.000Z',
  body_text: 'Hello,\r\n> earlier\n\n<script>alert(1)</script>\n\n',
  extracted_text: 'Hello,',
};

it('quotes each line, and lines that were quotes once more', () => {
  const [first, ...lines] = quoteMessage(message).split('\n');
  expect(first).toContain('Ada');
  expect(lines).toEqual(['> Hello,', '>> earlier', '> ', '> <script>alert(1)</script>']);
});

it('finds the quote again in what was saved', () => {
  const quote = quoteMessage(message);
  expect(splitQuote(joinQuote('Thank you', quote), quote)).toEqual({ own: 'Thank you', isQuoted: true });
  expect(splitQuote(joinQuote('', quote), quote)).toEqual({ own: '', isQuoted: true });
});

it('leaves a text alone whose quote was changed, and has no quote of a message without text', () => {
  expect(splitQuote('Thank you', quoteMessage(message))).toEqual({ own: 'Thank you', isQuoted: false });
  const empty = quoteMessage({ ...message, body_text: null, extracted_text: null });
  expect(empty).toBe('');
  expect(splitQuote(joinQuote('Hi', empty), empty)).toEqual({ own: 'Hi', isQuoted: false });
});
