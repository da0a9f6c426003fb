import { readFileSync } from 'node:fs';

/** Returns the paths of pages of the console, as one of its two tables has them: `navigation.ts` or `public-pages.ts`. */
export function pathsIn(table: 'navigation.ts' | 'public-pages.ts'): string[] {
  const file = new URL(`../../../console/src/app/${table}`, import.meta.url);
  return [...readFileSync(file, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
}

/** The ids that paths have places for. */
export interface PageIds {
  inboxId: string;
  threadId: string;
  messageId: string;
  webhookId: string;
  domainId: string;
  heldId: string;
}

/** Returns a path with ids in its places. */
export function fillPath(path: string, ids: PageIds): string {
  return path
    .replace(':inboxId', ids.inboxId)
    .replace(':threadId?', ids.threadId)
    .replace(':messageId', ids.messageId)
    .replace('approvals/:id', `approvals/${ids.heldId}`)
    .replace('webhooks/:id', `webhooks/${ids.webhookId}`)
    .replace('domains/:id', `domains/${ids.domainId}`);
}
