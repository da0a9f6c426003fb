import { createHash } from 'node:crypto';
import { brand } from '@postrider/contract';
import { argsText } from '../args-text.ts';
import type { ToolName } from '../tools/tool-names.ts';

const prefix = `${brand.packages.sdk}-mcp-`;
/** What an argument says that is not given. */
const defaults: Record<string, unknown> = { reply_all: false, include_attachments: true };

/**
 * Returns the idempotency key of a send, which is made of what is sent. So the same call within 24 hours never sends twice, even if the host
 * repeats it after a lost answer or with a new process of this server. A key that the model gives makes it another send. That key is not used
 * alone, because models give different mails the same one. `sent` has the inbox by its id and files with their content.
 */
export function clientIdOf(tool: ToolName, sent: Record<string, unknown>, given: string | undefined): string {
  const said = Object.entries(sent).filter(([name, value]) => value !== defaults[name] && !isEmpty(value));
  const own = keyOf(`${tool}\n${argsText(Object.fromEntries(said))}`);
  return given === undefined || given === own ? own : keyOf(`${own}\n${given}`);
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function keyOf(text: string): string {
  return prefix + createHash('sha256').update(text).digest('base64url').slice(0, 27);
}
