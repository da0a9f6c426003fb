import { createHash } from 'node:crypto';
import { brand } from '@postrider/contract';
import { argsText } from '../reading/sign-cursor.ts';
import type { ToolName } from '../tools/tool-names.ts';

/**
 * Returns the idempotency key of a send: the one that the model gave, or one that is made of the arguments. So the same call within 24 hours
 * never sends twice, whoever repeats it: the model, the host after a lost answer, or a new process of this server.
 */
export function clientIdOf(tool: ToolName, { client_id: given, ...args }: Record<string, unknown>): string {
  if (typeof given === 'string') return given;
  const hash = createHash('sha256')
    .update(`${tool}\n${argsText(args)}`)
    .digest('base64url');
  return `${brand.packages.sdk}-mcp-${hash.slice(0, 27)}`;
}
