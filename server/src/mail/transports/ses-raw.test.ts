import { describe, expect, it } from 'vitest';
import { sesRegionOf } from '../aws/ses-message-ids.ts';
import { fromFieldOf, rawForSes } from './ses-raw.ts';

const named = (...lines: string[]) => rawForSes(Buffer.from(lines.join('\r\n'), 'latin1')).toString('latin1');

describe('a message whose Message-ID will be replaced', () => {
  it('names its own id after those that it refers to, folded or not', () => {
    expect(named('References: <a@x>', 'Message-ID: <own@x>', '', 'Text')).toBe(
      'References: <a@x>\r\n <own@x>\r\nMessage-ID: <own@x>\r\n\r\nText',
    );
    expect(named('Message-ID: <own@x>', 'References: <a@x>', ' <b@x>', 'To: c@x', '', '')).toBe(
      'Message-ID: <own@x>\r\nReferences: <a@x>\r\n <b@x>\r\n <own@x>\r\nTo: c@x\r\n\r\n',
    );
  });

  it('gets References if it has none, and its bytes stay as they are otherwise', () => {
    expect(named('Subject: \xff', 'message-id:', ' <own@x>', '', '\xfe')).toBe(
      'Subject: \xff\r\nmessage-id:\r\n <own@x>\r\nReferences: <own@x>\r\n\r\n\xfe',
    );
  });

  it.each([
    ['it names itself already', ['References: <own@x>', 'Message-ID: <own@x>', '', 'x']],
    ['it has no Message-ID', ['To: a@x', '', 'Message-ID: <own@x>', '']],
    ['it has no body', ['Message-ID: <own@x>']],
  ])('is left alone if %s', (_what, lines) => {
    expect(named(...lines)).toBe(lines.join('\r\n'));
  });
});

it('a message goes to SES without our signature, which its changes would break', () => {
  const signature = [
    'DKIM-Signature: v=1; a=rsa-sha256; d=x.example;',
    ' h=from:message-id; bh=abc;',
    '\tb=def',
  ];
  expect(named(...signature, 'From: a@x', 'To: b@x', '', 'DKIM-Signature: quoted')).toBe(
    'From: a@x\r\nTo: b@x\r\n\r\nDKIM-Signature: quoted',
  );
  expect(named('From: a@x', 'X: y', ...signature, '', 'Text')).toBe('From: a@x\r\nX: y\r\n\r\nText');
});

describe('the From field', () => {
  it('is taken as it is, if there is one', () => {
    expect(fromFieldOf(Buffer.from('From: A\r\n <a@x.example>\r\n\r\n'))).toBe('A <a@x.example>');
    expect(fromFieldOf(Buffer.from('To: a@x.example\r\n\r\n'))).toBeNull();
    expect(fromFieldOf(Buffer.from('From: a@x.example\r\nFrom: b@x.example\r\n\r\n'))).toBeNull();
  });
});

it('a relay is one of Amazon SES by its host name', () => {
  expect(sesRegionOf('email-smtp.eu-west-1.amazonaws.com')).toBe('eu-west-1');
  expect(sesRegionOf('email-smtp-fips.us-east-1.amazonaws.com')).toBe('us-east-1');
  expect(sesRegionOf('email-smtp.eu-west-1.amazonaws.com.evil.example')).toBeNull();
});
