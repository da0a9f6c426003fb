import { describe, expect, it } from 'vitest';
import { findProviderMessageId } from './hand-over.ts';

const replies: [string, string | null][] = [
  ['250 2.0.0 Ok: queued as 4XyZ1b2cz3', '4XyZ1b2cz3'],
  ['250 2.0.0 from MTA(smtp:[127.0.0.1]:10025): 250 2.0.0 Ok: queued as 3F1A2B4C5D', '3F1A2B4C5D'],
  ['250 OK id=1sX0Yz-0000AB-CD', '1sX0Yz-0000AB-CD'],
  ['250 2.0.0 OK  1700000000 d9443c01a7336-1f9eb3b6e81si99 - gsmtp', 'd9443c01a7336-1f9eb3b6e81si99'],
  ['250 Ok 0100018b5c3c0a4f-1c9d2e3f-aaaa-bbbb-000000', '0100018b5c3c0a4f-1c9d2e3f-aaaa-bbbb-000000'],
  [
    '250 2.0.0 OK <AM0PR01@eur.prod.outlook.com> [Hostname=AM0.eurprd01.prod.outlook.com]',
    'AM0PR01@eur.prod.outlook.com',
  ],
  ['250 2.6.0 <abc@mail.test> [InternalId=123, Hostname=ex.test] Queued mail for delivery', 'abc@mail.test'],
  ['250 2.0.0 4AKC0abc012345 Message accepted for delivery', '4AKC0abc012345'],
  ['250 2.0.0: 1a2b3c4d Message accepted for delivery', '1a2b3c4d'],
  ['250 Message Queued (8E2A4C1B-1234-4D5E-9F60-ABCDEF012345.1)', '8E2A4C1B-1234-4D5E-9F60-ABCDEF012345.1'],
  ['250 2.0.0 4AKC0abc012345 Message accepted for delivery \r\nid=other', '4AKC0abc012345'],
  ['250 2.0.0 Ok', null],
  ['250 Thank you', null],
  ['250', null],
  ['', null],
];

describe('the id that a relay gives', () => {
  for (const [reply, id] of replies)
    it(`is ${id} in: ${reply}`, () => {
      expect(findProviderMessageId(reply)).toBe(id);
    });

  it('is looked for in the beginning of a reply only, however long that is', () => {
    const megabyte = 2 ** 20;
    // The time limit of a test fails it if a pattern tries each space as a start.
    expect(findProviderMessageId(`250 Ok: queued as A1${' '.repeat(megabyte)}.`)).toBe('A1');
    expect(findProviderMessageId(`250 OK${' '.repeat(megabyte)}id=A1`)).toBeNull();
  });

  it('is cut to what a column holds', () => {
    expect(findProviderMessageId(`250 Ok: queued as ${'A'.repeat(900)}`)).toHaveLength(255);
  });
});
