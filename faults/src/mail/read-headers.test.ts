import { expect, test } from 'vitest';
import { headerValues, readVerdicts } from './read-headers.ts';

const mail = [
  'Authentication-Results: mx.receiver.example; dmarc=fail (p=none) header.from=a.example',
  'Authentication-Results: mx.receiver.example; spf=pass (sender SPF authorized) smtp.helo=mx.a.example',
  'Authentication-Results: mx.receiver.example;\n\tspf=softfail smtp.mailfrom=x@a.example;\n dkim=none',
  'Authentication-Results: mx.forger.example; dkim=pass; dmarc=pass',
  'Subject: two\n  lines',
  '',
  'Subject: not a header',
].join('\n');

test('headers are unfolded, and the body has none', () => {
  expect(headerValues(mail, 'subject')).toEqual(['two lines']);
  expect(headerValues(mail.replaceAll('\n', '\r\n'), 'SUBJECT')).toEqual(['two lines']);
});

test('only the results of the receiver itself count, and SPF only for the envelope sender', () => {
  expect(readVerdicts(mail, 'mx.receiver.example')).toEqual({ spf: 'softfail', dkim: 'none', dmarc: 'fail' });
  expect(readVerdicts(mail, 'mx.other.example')).toEqual({
    spf: 'missing',
    dkim: 'missing',
    dmarc: 'missing',
  });
});
