import * as z from 'zod';
import { isAddress, isDomain, isMailbox } from './address.ts';
import { about, idField } from './scalars.ts';
import { trimBlanks } from './texts.ts';

/** One recipient in a request. */
export const Recipient = z
  .string()
  .overwrite(trimBlanks)
  .refine(isMailbox, { error: 'must be an address like ada@example.com or Ada Lovelace <ada@example.com>' })
  .meta({
    id: 'Recipient',
    ...about(
      'An address, alone or as `Name <address>`. UTF-8 local parts and international domains are accepted.',
      'ada@example.com',
      'Ada Lovelace <ada@example.com>',
    ),
  });

/** A bare address in a request. */
export const AddressIn = z
  .string()
  .overwrite(trimBlanks)
  .refine(isAddress, { error: 'must be an address like ada@example.com' });

/** A full address or a bare domain in a request. */
export const AddressOrDomain = z
  .string()
  .overwrite(trimBlanks)
  .refine((text) => isAddress(text) || isDomain(text), {
    error: 'must be an address like ada@example.com or a domain like example.com',
  });

/** A host name in a request, with at least one dot. */
export const Hostname = z
  .string()
  .overwrite(trimBlanks)
  .refine((text) => isDomain(text) && text.includes('.'), {
    error: 'must be a domain like mail.example.com',
  });

/** A recipient that a send leaves out, with the reason. */
export const DroppedRecipient = z
  .object({
    address: z.string().meta(about('The address that was dropped.', 'bounced@example.com')),
    reason: z
      .enum(['suppressed', 'rule', 'policy'])
      .meta(
        about(
          '`suppressed`: the address is on the suppression list. `rule`: an outbound block rule matches it. `policy`: people do not allow mail to it.',
          'suppressed',
        ),
      ),
    rule_id: idField('rule', 'The rule that matched, if the reason is `rule`.').optional(),
  })
  .meta({ id: 'DroppedRecipient', description: 'A recipient that a send leaves out.' });
export type DroppedRecipient = z.infer<typeof DroppedRecipient>;
