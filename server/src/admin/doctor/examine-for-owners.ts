import type { Finding as FindingView } from '@postrider/contract/console';
import type { Context } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/api-error.ts';
import { perServer } from '../../lib/memory.ts';
import { runsServer } from '../../people/first-workspace.ts';
import { examineServer } from './examine-server.ts';
import type { Finding } from './finding.ts';

/** Findings, with the time at which they were made. */
export interface Examination {
  at: string;
  findings: FindingView[];
}

/** An examination asks name servers, relays and the database, so its result serves everybody for a while. */
const knownForMs = 10_000;

/** These parts name the domains of all workspaces. Those of a workspace are on its own page. */
const partsOfOperators = ['domains', 'ses'];

const lastExamination = perServer((): { examination: Promise<Examination> | null; atMs: number } => ({
  examination: null,
  atMs: 0,
}));

/**
 * Examines the running server for owners of its first workspace, who run it. Requests within 10 s, and during an examination, share one.
 * Credentials in URLs and the domains of other workspaces are left out.
 *
 * @throws ApiError `owner_only` in another workspace.
 */
export async function examineForOwners(ctx: Context): Promise<Examination> {
  await requireFirstWorkspace(ctx);
  const last = lastExamination(ctx);
  if (last.examination && performance.now() - last.atMs < knownForMs) return last.examination;
  // Until it has ended, everyone waits for it, however long it takes.
  last.atMs = Number.POSITIVE_INFINITY;
  last.examination = examine(ctx).finally(() => {
    last.atMs = performance.now();
  });
  return last.examination;
}

/**
 * Lets only owners pass who run the server, which are those of the first workspace.
 *
 * @throws ApiError `owner_only` in another workspace, and in every one if no owner runs the server.
 */
export async function requireFirstWorkspace(ctx: Context): Promise<void> {
  if (await runsServer(ctx, ctx.workspaceId)) return;
  const message = 'This covers the whole server, so only the owners who run it can see it.';
  throw new ApiError('owner_only', {}, { message });
}

async function examine(deps: Deps): Promise<Examination> {
  const found = await examineServer(deps);
  return {
    at: deps.clock.now().toISOString(),
    findings: found.filter(({ part }) => !partsOfOperators.includes(part)).map(viewFinding),
  };
}

function viewFinding({ part, state, text, remedy }: Finding): FindingView {
  return { part, state, text: withoutCredentials(text), remedy: remedy ? withoutCredentials(remedy) : null };
}

/** Returns a text without the user and password of the URLs in it. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1');
}
