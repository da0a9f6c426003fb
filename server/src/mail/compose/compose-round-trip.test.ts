import { expectWellFormed } from '@postrider/testkit/mail/well-formed-mail.ts';
import { plainMail } from '@postrider/testkit/smtp/outgoing-mail.ts';
import fc from 'fast-check';
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { normalizeAddress } from '../../lib/email-address.ts';
import { composeMail, type OutgoingMail } from './compose-mail.ts';

async function roundTrip(change: Partial<OutgoingMail>): Promise<ParsedMail> {
  const raw = await composeMail({ ...plainMail, ...change });
  expectWellFormed(raw);
  return simpleParser(raw, { skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true });
}

function addressesOf(field: AddressObject | AddressObject[] | undefined): string[] {
  const groups = field === undefined ? [] : [field].flat();
  return groups.flatMap(({ value }) =>
    value.map(({ address }) => normalizeAddress(address ?? '') ?? `bad: ${address}`),
  );
}

const printable = fc
  .string({ unit: 'grapheme', maxLength: 300 })
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
const awkward = fc.constantFrom(
  'a  b',
  '=?utf-8?Q?x?=',
  'say "hi"',
  'x'.repeat(990),
  'tail  =?',
  'Größe: 5 €',
  '件名 '.repeat(80),
);
const subjects = fc.oneof({ weight: 9, arbitrary: printable }, awkward).map((text) => text.trim());
const bodies = fc
  .array(
    fc.oneof(
      printable,
      fc.constantFrom('.', '..', '', 'From here', '--', '=20', 'ü'.repeat(400), 'x'.repeat(2_000)),
    ),
  )
  .map((lines) => lines.map((line) => line.trimEnd()).join('\n'));
const localParts = fc.constantFrom(
  'bob',
  'o’neil',
  'jürgen',
  'a+b',
  "o'x",
  '用户',
  '"two words"',
  '"a@b"',
  '"quo\\"te"',
);
const domains = fc.constantFrom('example.test', 'bücher.test', 'sub.例え.test', 'xn--bcher-kva.test');
const addresses = fc
  .tuple(localParts, domains)
  .map(([local, domain]) => normalizeAddress(`${local}@${domain}`))
  .filter((address) => address !== null);
const messageIds = fc
  .tuple(fc.stringMatching(/^[a-z0-9.$+_-]{1,400}$/), fc.stringMatching(/^[a-z0-9.-]{1,40}$/))
  .map(([left, right]) => `<${left}@${right}>`);

describe('what was composed is what a reader finds', () => {
  it('in the subject', () =>
    fc.assert(
      fc.asyncProperty(subjects, async (subject) => {
        fc.pre(subject !== '');
        expect((await roundTrip({ subject })).subject).toBe(subject);
      }),
    ));

  it('in addresses and names', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(addresses, { minLength: 1, maxLength: 20 }),
        fc.uniqueArray(addresses, { maxLength: 20 }),
        subjects.filter((name) => !name.includes('=?')),
        async (to, cc, name) => {
          const parsed = await roundTrip({ to, cc, from: { name, address: 'agent@sender.test' } });
          expect(addressesOf(parsed.to)).toEqual(to);
          expect(addressesOf(parsed.cc)).toEqual(cc);
          expect(parsed.from?.value).toEqual([{ name, address: 'agent@sender.test' }]);
        },
      ),
    ));

  it('in text and html', () =>
    fc.assert(
      fc.asyncProperty(bodies, bodies, async (text, html) => {
        fc.pre(text.trim() !== '' && html.trim() !== '');
        const parsed = await roundTrip({ text, html });
        expect(parsed.text?.trimEnd()).toBe(text.trimEnd());
        expect(String(parsed.html).trimEnd()).toBe(html.trimEnd());
      }),
    ));

  it('in files and their names', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 3_000 }), printable), { maxLength: 5 }),
        async (files) => {
          const attachments = files.map(([bytes, name]) => ({
            filename: `x${name.replaceAll(/[/\\\s]|\p{Cf}/gu, '')}y.bin`.slice(0, 80),
            content: Buffer.from(bytes),
          }));
          const parsed = await roundTrip({ attachments });
          expect(parsed.attachments.map(({ filename, content }) => ({ filename, content }))).toEqual(
            attachments,
          );
        },
      ),
    ));

  it('in References and In-Reply-To', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(messageIds, { minLength: 1, maxLength: 50 }), async (references) => {
        const parsed = await roundTrip({ references, inReplyTo: references.at(-1) });
        expect([parsed.references].flat()).toEqual([...references, plainMail.messageId]);
        expect(parsed.inReplyTo).toBe(references.at(-1));
      }),
    ));
});
