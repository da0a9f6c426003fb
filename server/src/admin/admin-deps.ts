import type { Deps } from '../deps.ts';
import type { DerivedKeys } from '../lib/crypto/secrets.ts';

/** What a command runs in. */
export interface AdminDeps
  extends Pick<Deps, 'database' | 'db' | 'clock' | 'wakeups' | 'config' | 'address'> {
  /** Opens the keys of the server. Few commands need them, and they can be missing while no server runs. */
  openKeys(): Promise<DerivedKeys>;
  /** Opens what reads the bytes of messages. The caller closes it. */
  openMailParts(): Promise<MailParts>;
}

/** Returns what commands run in within a running server. */
export function adminDepsOf(deps: Deps): AdminDeps {
  return {
    ...deps,
    openKeys: async () => deps.keys,
    openMailParts: async () => ({ ...deps, close: async () => {} }),
  };
}

/** What reads the bytes of messages, and decides when they are due. */
export interface MailParts extends Pick<Deps, 'files' | 'parser' | 'timeScale'> {
  close(): Promise<void>;
}
