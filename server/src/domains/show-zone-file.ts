import type { Context } from '../context.ts';
import { getDomain } from './find-domain.ts';
import { zoneFileFor } from './manage-domains.ts';

/**
 * Returns the records of the caller's domain as a zone file.
 *
 * @throws ApiError `not_found`.
 */
export async function showOwnZoneFile(ctx: Context, id: string): Promise<string> {
  return zoneFileFor(ctx, await getDomain(ctx, id));
}
