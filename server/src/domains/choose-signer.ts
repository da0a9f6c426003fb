import type { Deps } from '../deps.ts';
import type { DkimSigner } from '../mail/compose/sign-mail.ts';

/** Returns what signs the mail of an inbox, or null if the mail does not leave this server. */
export function signerOf(
  { sharedSigner, isTest }: Pick<Deps, 'sharedSigner'> & { isTest: boolean },
  _inbox: { address: string },
): DkimSigner | null {
  return isTest ? null : sharedSigner;
}
