import { expect, test } from 'vitest';
import {
  enhancedOfClosing,
  formatReplyText,
  isReply,
  leadingEnhancedCode,
  replyForError,
} from './smtp-lines.ts';

test('a reply is one line of printable ASCII of bounded length', () => {
  expect(formatReplyText({ code: 550, enhanced: '5.1.1', text: 'no\r\n250 ok\0 für' })).toBe(
    '5.1.1 no?250 ok? f?r',
  );
  expect(formatReplyText({ code: 250, enhanced: '2.0.0', text: '' })).toBe('2.0.0');
  expect(formatReplyText({ code: 550, enhanced: '5.0.0', text: 'x'.repeat(5_000) }).length).toBeLessThan(450);
});

test('the enhanced code at the start of a text is found, and nothing else', () => {
  expect(leadingEnhancedCode('4.7.0 slow down')).toBe('4.7.0');
  expect(leadingEnhancedCode('4.7.0')).toBe('4.7.0');
  expect(leadingEnhancedCode('3.7.0 x')).toBeNull();
  expect(leadingEnhancedCode('4.7.0x')).toBeNull();
});

test('a closing reply says why', () => {
  expect(enhancedOfClosing('Server shutting down')).toBe('4.3.2');
  expect(enhancedOfClosing('Timeout - closing connection')).toBe('4.4.2');
  expect(enhancedOfClosing('Error: too many unrecognized commands')).toBe('4.7.0');
});

test('a reply needs a code of a class that answers, and an enhanced code of the same', () => {
  expect(isReply({ code: 250, enhanced: '2.0.0', text: '' })).toBe(true);
  expect(isReply({ code: 354, enhanced: '2.0.0', text: '' })).toBe(false);
  expect(isReply({ code: 550, enhanced: '4.1.1', text: '' })).toBe(false);
  expect(isReply({ code: Number.NaN, enhanced: '', text: '' })).toBe(false);
});

test('no exception becomes a permanent refusal', () => {
  const circular = new Error('round');
  circular.cause = circular;
  for (const error of [new Error('x'), 'text', null, undefined, circular])
    expect(replyForError(error).code).toBe(451);
  expect(replyForError(Object.assign(new Error('quota'), { code: 'EDQUOT' })).code).toBe(452);
});
