import type { Deps } from '../deps.ts';
import type { DerivedKeys } from '../lib/crypto/secrets.ts';

/** What a command runs in. */
export interface AdminDeps
  extends Pick<Deps, 'database' | 'db' | 'clock' | 'wakeups' | 'config' | 'address'> {
  /** Opens the keys of the server. Few commands need them, and they can be missing while no server runs. */
  openKeys(): Promise<DerivedKeys>;
}
