import { consolePath } from '@postrider/contract/console';
import { linkExpiry } from '../attachments/attachment.view.ts';
import type { Deps } from '../deps.ts';
import { signFileToken } from '../files/signed-url.ts';

/** The path of the pages of HTML mail for people without a session. A token follows. */
export const linkedFramesPath = `${consolePath}/mail/linked`;

/**
 * Returns the path of the page of an HTML mail for somebody without a session, who has a link to its approval. The path itself is the
 * permission, as with links to files, and ends as soon. A link to a file, which keys get, opens no such page: what it shows is at the
 * console's own address.
 */
export function linkedFramePath(
  deps: Pick<Deps, 'keys' | 'address' | 'clock' | 'timeScale'>,
  workspaceId: string,
  messageId: string,
): string {
  const grant = { workspaceId, fileId: messageId, expiresAt: linkExpiry(deps) };
  return `${linkedFramesPath}/${signFileToken(deps.keys, grant, 'frames of mail')}`;
}
