import { expect, test } from 'vitest';
import { replyCases, wholeTexts } from '../../test/fixtures/mail/replies.ts';
import { extractReply } from './extract-reply.ts';

test.each(replyCases.map((one) => [one.client, one] as const))(
  '%s',
  (_client, { text, html, subject, reply }) => {
    expect(extractReply(text ?? null, html ?? null, subject === undefined ? {} : { subject })).toBe(reply);
  },
);

test.each(wholeTexts)('keeps all of %j', (text) => {
  expect(extractReply(text, null)).toBe(text.trim());
});
