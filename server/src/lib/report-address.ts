/*
 * The addresses to which receivers send DMARC reports on a domain: `dmarc+<token>@<MAIL FROM domain>`. The token names the domain and is
 * signed, so that mail to any other address is refused without a look-up. Its content is 36 characters: 10 of the workspace and 26 of the
 * domain.
 */
import { readToken, signToken, type WorkspaceIds, workspacePart, workspacesOf } from './address-token.ts';
import type { DerivedKeys } from './crypto/secrets.ts';
import { isId } from './ids.ts';

const purpose = 'report addresses';
const prefix = 'dmarc+';
const contentPattern = /^([0-9a-z]{10})([0-9a-z]{26})$/;

/** Returns the address for reports on a domain of a workspace, at its MAIL FROM domain. */
export function reportAddressOf(
  keys: DerivedKeys,
  mailFromDomain: string,
  { workspaceId, domainId }: { workspaceId: string; domainId: string },
): string {
  const content = `${workspacePart(workspaceId)}${domainId.slice('dom_'.length)}`;
  return `${prefix}${signToken(keys, purpose, content)}@${mailFromDomain}`;
}

/** Returns the domain that an address in its one spelling takes reports on; null if it is another address or is not signed by `keys`. */
export function readReportAddress(
  address: string,
  keys: readonly DerivedKeys[],
): { workspaceIds: WorkspaceIds; domainId: string } | null {
  if (!address.startsWith(prefix)) return null;
  const content = readToken(keys, purpose, address.slice(prefix.length, address.lastIndexOf('@')));
  const [, workspace, domain] = contentPattern.exec(content ?? '') ?? [];
  if (workspace === undefined) return null;
  const domainId = `dom_${domain}`;
  return isId('dom', domainId) ? { workspaceIds: workspacesOf(workspace), domainId } : null;
}
