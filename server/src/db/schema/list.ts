import { Tables } from './0001-tables.ts';
import { Certificates } from './0002-certificates.ts';
import { Traces } from './0003-traces.ts';
import { DeletedWorkspaces } from './0004-deleted-workspaces.ts';
import { AdminTokens } from './0005-admin-tokens.ts';
import { RecipientsByStatus } from './0006-recipients-by-status.ts';
import { MakersOfTokens } from './0007-makers-of-tokens.ts';

/**
 * Every migration, oldest first. Once released, a migration is never edited, and its name never used again. Functions are not
 * among them: `functions/` has the latest text of each.
 */
export const migrations = [
  { name: '0001-tables', class: Tables },
  { name: '0002-certificates', class: Certificates },
  { name: '0003-traces', class: Traces },
  { name: '0004-deleted-workspaces', class: DeletedWorkspaces },
  { name: '0005-admin-tokens', class: AdminTokens },
  { name: '0006-recipients-by-status', class: RecipientsByStatus },
  { name: '0007-makers-of-tokens', class: MakersOfTokens },
];
