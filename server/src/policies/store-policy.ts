import { limits, type PolicyIn, type PolicyLevel } from '@postrider/contract';
import { scoped } from '../db/scoped.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import type { ChangeContext } from './change-sending.ts';

/** Where a policy is set. The subject is the id of the workspace, the inbox or the key. */
export interface PolicyPlace {
  workspaceId: string;
  level: PolicyLevel;
  subjectId: string;
}

/** Returns the lines that are set at a place. */
export async function policyAt(ctx: Pick<ChangeContext, 'db'>, place: PolicyPlace): Promise<PolicyIn> {
  const row = await scoped({ db: ctx.db, workspaceId: place.workspaceId })
    .selectFrom('policies')
    .select('lines')
    .where('level', '=', place.level)
    .where('subject_id', '=', place.subjectId)
    .executeTakeFirst();
  return row?.lines ?? {};
}

/** Stores the lines of a place, as `normalized` returns them, in place of those before. Without lines there is no policy. */
export async function storePolicy(
  tx: Pick<ChangeContext, 'db' | 'clock'>,
  { workspaceId, level, subjectId }: PolicyPlace,
  lines: PolicyIn,
  updatedBy: string | null,
): Promise<void> {
  const rows = scoped({ db: tx.db, workspaceId });
  await rows.deleteFrom('policies').where('level', '=', level).where('subject_id', '=', subjectId).execute();
  if (Object.keys(lines).length === 0) return;
  await tx.db
    .insertInto('policies')
    .values({
      workspace_id: workspaceId,
      level,
      subject_id: subjectId,
      lines,
      updated_at: tx.clock.now(),
      updated_by: updatedBy,
    })
    .execute();
}

/** Writes addresses and domains as they are compared, and leaves out lines that hold nothing back. */
export function normalized(lines: PolicyIn): PolicyIn {
  const { recipients, ...others } = lines;
  const patterns = Array.isArray(recipients)
    ? [...new Set(recipients.map(patternOf))].slice(0, limits.policyPatternsMax)
    : recipients;
  const all = { ...others, ...(patterns !== undefined && { recipients: patterns }) };
  const isLoose = (value: unknown) =>
    value === null || value === undefined || value === 'allow' || value === 'anyone';
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isLoose(value)));
}

function patternOf(text: string): string {
  return (text.includes('@') ? normalizeAddress(text) : parseDomain(text)) ?? text.toLowerCase();
}
