import { brand } from '@postrider/contract';
import { argsText } from '../args-text.ts';
import type { CallContext } from '../context.ts';
import type { ToolName } from '../tools/tool-names.ts';

const prefix = `${brand.packages.sdk}-mcp-`;
/** Stands for an argument that is not given. */
const defaults: Record<string, unknown> = { reply_all: false, include_attachments: true };

/**
 * Returns the idempotency key of a send, derived from its content. The same call within 24 hours therefore never sends twice, even if the
 * host repeats it after a lost response or with a new process of this server. A key from the model makes it a different send. That key is
 * not used alone, because models give different mails the same key. Another API key is a different sender, so it can send the same text
 * again. `sent` has the inbox by its id, and files with their content.
 */
export function makeClientId(
  { signer }: Pick<CallContext, 'signer'>,
  tool: ToolName,
  sent: Record<string, unknown>,
  given: string | undefined,
): string {
  const said = Object.entries(sent).filter(([name, value]) => value !== defaults[name] && !isEmpty(value));
  const own = prefix + signer.digest(`${tool}\n${argsText(Object.fromEntries(said))}`);
  return given === undefined || given === own ? own : prefix + signer.digest(`${own}\n${given}`);
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
