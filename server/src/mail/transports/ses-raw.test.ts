import { describe, expect, it } from 'vitest';
import { sesRegionOf } from '../aws/ses-message-ids.ts';
import { fromFieldOf, nameOwnId } from './ses-raw.ts';

const named = (...lines: string[]) => nameOwnId(Buffer.from(lines.join('\r\n'), 'latin1')).toString('latin1');

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
