import * as z from 'zod';
import { AttachmentInputs } from './attachments.ts';
import { brand } from './brand.ts';
import { MetadataIn } from './fields/metadata.ts';
import { Recipient } from './fields/recipients.ts';
import { about, idIn } from './fields/scalars.ts';
import { bodyText, headerText, plainText } from './fields/texts.ts';
import { limits } from './limits.ts';

const recipientsError = `must be at most ${limits.recipientsMax} recipients in To, Cc and Bcc together`;

/** Refuses a message that has more recipients in To, Cc and Bcc together than the limit. */
export function checkRecipients(
  message: { to?: string[] | undefined; cc?: string[] | undefined; bcc?: string[] | undefined },
  ctx: z.RefinementCtx,
): void {
  const count = (message.to?.length ?? 0) + (message.cc?.length ?? 0) + (message.bcc?.length ?? 0);
  if (count > limits.recipientsMax) ctx.addIssue({ code: 'custom', path: ['to'], message: recipientsError });
}

const recipients = z.array(Recipient).max(limits.recipientsMax, { error: recipientsError });

/** Turns a single recipient into a list. */
function asList(value: unknown) {
  return typeof value === 'string' ? [value] : value;
}

/** Recipients in a request: a single one as a text, or a list. */
export const Recipients = z.preprocess(asList, recipients).meta({ orOne: true });

const To = z.preprocess(asList, recipients.min(1, { error: 'must name at least one recipient' })).meta({
  orOne: true,
  ...about('One recipient or a list of recipients; at most 50 in To, Cc and Bcc together.', [
    'ada@example.com',
  ]),
});
const Cc = Recipients.optional().meta(
  about('The recipients in Cc.', ['Charles Babbage <charles@example.com>']),
);
const Bcc = Recipients.optional().meta(about('The recipients in Bcc.', ['archive@example.com']));

/** The subject of a message that is sent. */
export const Subject = headerText(0, limits.subjectCharactersMax).meta(
  about('The subject.', 'Your order has shipped'),
);
/** The plain-text body of a message that is sent. */
export const Text = bodyText(limits.bodyTextBytesMax).meta(
  about('The plain-text body, at most 5 MB.', 'Hello Ada,\nyour order has shipped.\n'),
);
/** The HTML body of a message that is sent. */
export const Html = bodyText(limits.bodyHtmlBytesMax).meta(
  about('The HTML body, at most 5 MB.', '<p>Hello Ada,<br>your order has shipped.</p>'),
);
/** An idempotency key. */
export const ClientId = plainText(1, limits.clientIdCharactersMax).meta(
  about(
    'Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing, even if its content differs.',
    'order-17-shipped',
  ),
);

const rfcIdCharactersMax = 900;

/** An RFC 5322 Message-ID in a request; brackets are added if they are missing. */
export const RfcMessageId = headerText(1, rfcIdCharactersMax)
  .regex(/^(?:<[^\s<>]+>|[^\s<>]+)$/, { error: 'must be a Message-ID like <b1f2c3@example.com>' })
  .overwrite((text) => (text.startsWith('<') ? text : `<${text}>`));

/** The prefixes, in lower case, of header names that a provider reads as commands. Senders cannot set such headers. */
export const forbiddenHeaderPrefixes = [
  'x-ses-',
  'x-smtpapi',
  'x-mailgun-',
  'x-pm-',
  'x-mc-',
  'x-msys-',
  brand.mailHeaderPrefix.toLowerCase(),
] as const;

const headerNameCharactersMax = 76;

function headerNameProblem(name: string): string | null {
  if (name.length > headerNameCharactersMax || !/^(?:x|list)-[a-z0-9-]+$/i.test(name)) {
    return 'must be named X-… or List-…, of letters, digits and hyphens';
  }
  const lower = name.toLowerCase();
  const forbidden = forbiddenHeaderPrefixes.find((prefix) => lower.startsWith(prefix));
  return forbidden === undefined
    ? null
    : `must not start with ${forbidden}, which providers read as a command`;
}

function checkHeaders(headers: Record<string, string>, ctx: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const problem = seen.has(name.toLowerCase()) ? 'is named twice' : headerNameProblem(name);
    if (problem !== null) ctx.addIssue({ code: 'custom', path: [name], message: problem });
    seen.add(name.toLowerCase());
  }
}

/** Checks the number of headers before anything else, because checking a million names and values would take seconds. */
function checkHeaderCount(headers: unknown, ctx: z.RefinementCtx): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  if (Object.keys(headers).length <= limits.customHeadersMax) return headers;
  ctx.addIssue({ code: 'custom', message: `must be at most ${limits.customHeadersMax} headers` });
  return z.NEVER;
}

const CustomHeaders = z
  .preprocess(checkHeaderCount, z.record(z.string(), headerText(0, 998)).superRefine(checkHeaders))
  .meta(
    about(
      'More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands are refused.',
      {
        'X-Order': '17',
      },
    ),
  );

/** Body of `messages.send` and `messages.check`. */
export const SendMessage = z
  .strictObject({
    inbox_id: idIn('inbox', 'The inbox that sends.'),
    to: To,
    subject: Subject,
    cc: Cc,
    bcc: Bcc,
    reply_to: Recipient.optional().meta({
      description: 'The address that replies go to; by default, the inbox.',
    }),
    text: Text.optional(),
    html: Html.optional(),
    in_reply_to: RfcMessageId.optional().meta(
      about(
        'A Message-ID. If it belongs to a message of this inbox, the new message joins its thread.',
        '<b1f2c3@example.com>',
      ),
    ),
    references: z
      .array(RfcMessageId)
      .max(limits.referencesMax, { error: `must be at most ${limits.referencesMax} references` })
      .optional()
      .meta(about('The Message-IDs of the conversation, oldest first.', ['<b1f2c3@example.com>'])),
    headers: CustomHeaders.optional(),
    metadata: MetadataIn.optional(),
    attachments: AttachmentInputs.optional().meta({
      description: 'Files, at most 7 MB in total once decoded.',
    }),
    client_id: ClientId.optional(),
  })
  .superRefine(checkRecipients)
  .meta({ id: 'SendMessage' });
export type SendMessage = z.infer<typeof SendMessage>;

/** Body of `messages.reply`. */
export const ReplyToMessage = z
  .strictObject({
    text: Text.optional(),
    html: Html.optional(),
    reply_all: z
      .boolean()
      .optional()
      .meta(
        about(
          'Whether to send the reply to the other recipients, too. This inbox and duplicates are left out.',
          true,
        ),
      ),
    cc: Cc.meta({
      description: 'Additional recipients in Cc, besides the usual recipients of the reply.',
    }),
    bcc: Bcc,
    reply_to: Recipient.optional().meta({
      description: 'The address that replies go to; by default, the inbox.',
    }),
    headers: CustomHeaders.optional(),
    metadata: MetadataIn.optional(),
    attachments: AttachmentInputs.optional().meta({
      description: 'Files, at most 7 MB in total once decoded.',
    }),
    client_id: ClientId.optional(),
    force: z
      .boolean()
      .optional()
      .meta(
        about(
          'Whether to reply even if the message was sent automatically. The limit on replies still applies.',
          false,
        ),
      ),
  })
  .refine((reply) => reply.text !== undefined || reply.html !== undefined, {
    path: ['text'],
    error: 'is required unless html is given',
  })
  .superRefine(checkRecipients)
  .meta({ id: 'ReplyToMessage' });
export type ReplyToMessage = z.infer<typeof ReplyToMessage>;

/** Body of `messages.forward`. */
export const ForwardMessage = z
  .strictObject({
    to: To,
    cc: Cc,
    bcc: Bcc,
    text: Text.optional().meta({ description: 'Text above the forwarded message.' }),
    html: Html.optional().meta({ description: 'HTML above the forwarded message.' }),
    include_attachments: z
      .boolean()
      .optional()
      .meta({ ...about('Whether to attach the files of the original.', true), default: true }),
    metadata: MetadataIn.optional(),
    client_id: ClientId.optional(),
  })
  .superRefine(checkRecipients)
  .meta({ id: 'ForwardMessage' });
export type ForwardMessage = z.infer<typeof ForwardMessage>;
