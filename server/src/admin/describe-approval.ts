import type { Correspondent } from '@postrider/contract/console';
import { correspondentsOf } from '../approvals/correspondents.ts';
import { getSummary } from '../approvals/list-approvals.ts';
import { findAnswered, headersOf } from '../approvals/read-approval.ts';
import type { Context } from '../context.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import { hex } from '../lib/hex.ts';
import { readMessage } from '../messages/message-details.ts';
import { parseFiles, readRaw } from '../messages/raw-source.ts';

type ShowContext = Pick<Context, 'db' | 'scope' | 'workspaceId' | 'files' | 'parser'>;

/**
 * Returns a held message as text for a terminal: everything that would go out, its recipients, and the hash that approves exactly this. The
 * message comes from an agent, so characters that steer a terminal are shown as escapes.
 *
 * @throws ApiError `not_found`.
 */
export async function describeApproval(ctx: ShowContext, id: string): Promise<string> {
  const summary = await getSummary(ctx, id);
  const details = await readMessage(ctx, id);
  const { row, recipients } = details;
  const raw = await readRaw(ctx, row);
  const files = row.has_attachments ? await parseFiles(ctx, raw, row.inbox_id) : [];
  const answered = await findAnswered(ctx, details);
  const addresses = recipients.map(({ address }) => address);
  const correspondents = await correspondentsOf(ctx, row, addresses, {
    raw,
    answered: answered?.row ?? null,
  });
  const hash = summary.content_hash.slice(0, 12);
  const parts = [
    ['message', id],
    ['state', summary.reason === null ? summary.state : `${summary.state}: ${summary.reason}`],
    ['key', summary.key ? `${summary.key.name} (${summary.key.id})` : 'none, a person sent a draft'],
    ...(summary.writer ? [['written by', `${summary.writer.name} (${summary.writer.id})`]] : []),
    ['held', `${summary.held_at}, until ${summary.expires_at}`],
    ['hash', summary.content_hash],
    ['size', `${raw.length} bytes, SHA-256 ${hex(sha256(raw))}`],
    ...correspondents.map((one) => ['recipient', describeRecipient(one, summary)]),
    ...(answered ? [['answers', `${answered.row.from_addr}: ${answered.row.subject}`]] : []),
    ...files.map((file) => [
      'attachment',
      `${file.filename}, ${file.mimeType}, ${file.sizeBytes} bytes, SHA-256 ${hex(sha256(file.content))}`,
    ]),
  ].map(([label = '', value = '']) => `${label.padEnd(11)} ${onOneLine(value)}`);
  const headers = headersOf(raw).map(({ name, value }) => onOneLine(`${name}: ${value}`));
  return [
    ...parts,
    ...['', '--- header', ...headers],
    ...(row.body_text === null ? [] : ['', '--- text', visible(row.body_text)]),
    ...(row.body_html === null ? [] : ['', '--- HTML', visible(row.body_html)]),
    ...(summary.state === 'held' ? ['', `To send exactly this: approvals approve ${id} --hash ${hash}`] : []),
  ].join('\n');
}

function describeRecipient(
  { address, wrote_before, proven, verified_domain, is_new, reply_to_of }: Correspondent,
  { cc, bcc }: { cc: string[]; bcc: string[] },
): string {
  const kind = bcc.includes(address) ? 'bcc' : cc.includes(address) ? 'cc' : 'to';
  const notes = [
    is_new && 'new to this inbox',
    wrote_before &&
      (proven ? `wrote before, proven for ${verified_domain}` : 'wrote before, which is not proven'),
    reply_to_of !== null && `named by the Reply-To of ${reply_to_of}, who wrote the message that is answered`,
  ].filter((note) => note !== false);
  return [`${kind} ${address}`, ...notes].join(', ');
}

function onOneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' '));
}

/** Returns a text with every character that is not to be seen as its code point, apart from tabs and line feeds. */
function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{C}\t\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
