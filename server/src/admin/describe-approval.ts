import type { ApprovalSummary, Correspondent } from '@postrider/contract/console';

import { getSummary } from '../approvals/list-approvals.ts';
import { findAnswered, findCorrespondents, readHeaders } from '../approvals/read-approval.ts';
import type { Context } from '../context.ts';
import { hex, sha256 } from '../lib/crypto/primitives.ts';
import { readMessage } from '../messages/message-details.ts';
import { parseFiles, readRaw } from '../messages/originals.ts';

type ShowContext = Pick<Context, 'db' | 'memory' | 'scope' | 'workspaceId' | 'files' | 'parser'>;

/** A held message with everything that would be sent. */
export interface HeldMessage extends Omit<ApprovalSummary, 'answers'> {
  /** The original message of a reply. */
  answers: { id: string; from_addr: string; subject: string } | null;
  size_bytes: number;
  raw_sha256: string;
  correspondents: Correspondent[];
  files: { filename: string; mime_type: string; size_bytes: number; sha256: string }[];
  headers: { name: string; value: string }[];
  text: string | null;
  html: string | null;
}

/**
 * Returns a held message, its recipients, and the hash that approves exactly this.
 *
 * @throws ApiError `not_found`.
 */
export async function readHeld(ctx: ShowContext, id: string): Promise<HeldMessage> {
  const summary = await getSummary(ctx, id);
  const details = await readMessage(ctx, id);
  const { row, recipients } = details;
  const raw = await readRaw(ctx, row);
  const files = row.has_attachments ? await parseFiles(ctx, raw, row.inbox_id) : [];
  const answered = (await findAnswered(ctx, details))?.row ?? null;
  const addresses = recipients.map(({ address }) => address);
  return {
    ...summary,
    answers: answered && { id: answered.id, from_addr: answered.from_addr, subject: answered.subject },
    size_bytes: raw.length,
    raw_sha256: hex(sha256(raw)),
    correspondents: await findCorrespondents(ctx, row, addresses, { raw, answered }),
    files: files.map(({ filename, mimeType, sizeBytes, content }) => ({
      filename,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      sha256: hex(sha256(content)),
    })),
    headers: readHeaders(raw).map(({ name, value }) => ({ name, value })),
    text: row.body_text,
    html: row.body_html,
  };
}

/**
 * Returns a held message as text for a terminal. It comes from an agent, so characters that steer a terminal are shown as escapes.
 */
export function describeApproval(held: HeldMessage): string {
  const { message_id: id, key, writer, answers, text, html } = held;
  const hash = held.content_hash.slice(0, 12);
  const parts = [
    ['message', id],
    ['state', held.reason === null ? held.state : `${held.state}: ${held.reason}`],
    ['key', key ? `${key.name} (${key.id})` : 'none; a person sent a draft'],
    ...(writer ? [['written by', `${writer.name} (${writer.id})`]] : []),
    ['held', `${held.held_at}, until ${held.expires_at}`],
    ['hash', held.content_hash],
    ['size', `${held.size_bytes} bytes, SHA-256 ${held.raw_sha256}`],
    ...held.correspondents.map((one) => ['recipient', describeRecipient(one, held)]),
    ...(answers ? [['answers', `${answers.from_addr}: ${answers.subject}`]] : []),
    ...held.files.map((file) => [
      'attachment',
      `${file.filename}, ${file.mime_type}, ${file.size_bytes} bytes, SHA-256 ${file.sha256}`,
    ]),
  ].map(([label = '', value = '']) => `${label.padEnd(11)} ${onOneLine(value)}`);
  const headers = held.headers.map(({ name, value }) => onOneLine(`${name}: ${value}`));
  return [
    ...parts,
    ...['', '--- header', ...headers],
    ...(text === null ? [] : ['', '--- text', visible(text)]),
    ...(html === null ? [] : ['', '--- HTML', visible(html)]),
    ...(held.state === 'held' ? ['', `To send exactly this: approvals approve ${id} --hash ${hash}`] : []),
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
      (proven
        ? `has written before, verified for ${verified_domain}`
        : 'has written before, but without proof of the sender'),
    reply_to_of !== null && `from the Reply-To of ${reply_to_of}, who wrote the original message`,
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
