import { describe, expect, it } from 'vitest';
import { sesRegion } from '../aws/ses-notification.ts';
import { readFromField } from './ses-transport.ts';

describe('the From field', () => {
  it('is taken as it is, if there is one', () => {
    expect(readFromField(Buffer.from('From: A\r\n <a@x.example>\r\n\r\n'))).toBe('A <a@x.example>');
    expect(readFromField(Buffer.from('To: a@x.example\r\n\r\n'))).toBeNull();
    expect(readFromField(Buffer.from('From: a@x.example\r\nFrom: b@x.example\r\n\r\n'))).toBeNull();
  });
});

it('a relay is one of Amazon SES by its host name', () => {
  expect(sesRegion('email-smtp.eu-west-1.amazonaws.com')).toBe('eu-west-1');
  expect(sesRegion('email-smtp-fips.us-east-1.amazonaws.com')).toBe('us-east-1');
  expect(sesRegion('email-smtp.eu-west-1.amazonaws.com.evil.example')).toBeNull();
});
