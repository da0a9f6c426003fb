import { describe, expect, it } from 'vitest';
import { addRecipients, bareAddress, splitRecipients } from './recipient-field.tsx';

describe('splitRecipients', () => {
  it('splits at commas, semicolons, tabs and line ends', () => {
    expect(splitRecipients('a@x.org, b@x.org;c@x.org\td@x.org\r\n e@x.org \n')).toEqual([
      'a@x.org',
      'b@x.org',
      'c@x.org',
      'd@x.org',
      'e@x.org',
    ]);
  });

  it('keeps names together, also those with commas in quotation marks', () => {
    expect(splitRecipients('"Lovelace, Ada" <ada@x.org>, Charles Babbage <charles@x.org>')).toEqual([
      '"Lovelace, Ada" <ada@x.org>',
      'Charles Babbage <charles@x.org>',
    ]);
  });

  it('splits bare addresses at spaces, and nothing else', () => {
    expect(splitRecipients('a@x.org b@x.org')).toEqual(['a@x.org', 'b@x.org']);
    expect(splitRecipients('Ada a@x.org')).toEqual(['Ada a@x.org']);
  });

  it('does not lose a list after a quotation mark that is never closed', () => {
    expect(splitRecipients('"a@x.org\nb@x.org')).toEqual(['"a@x.org', 'b@x.org']);
  });

  it('returns nothing for blanks and separators', () => {
    expect(splitRecipients(' ,; \n\t')).toEqual([]);
  });
});

describe('addRecipients', () => {
  it('adds each address once, whatever its name and case', () => {
    expect(addRecipients(['a@x.org'], ['Ada <A@x.org>', 'b@x.org', 'B@x.org'])).toEqual([
      'a@x.org',
      'b@x.org',
    ]);
  });
});

describe('bareAddress', () => {
  it('is what stands in the last brackets', () => {
    expect(bareAddress('"<odd>" <Ada@x.org> ')).toBe('ada@x.org');
    expect(bareAddress(' Ada@x.org')).toBe('ada@x.org');
  });
});
