import { useQueryClient } from '@tanstack/react-query';
import type { Postrider } from 'postrider';
import { useCallback } from 'react';
import { threadsText } from '#strings/threads.ts';
import { useApi } from '../../lib/api.ts';
import { errorCode } from '../../lib/problem.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { beginAction, holdAction } from '../../parts/held-actions.ts';
import { focusRow } from './focus-row.ts';
import { hideThreads, showThreads } from './hidden-threads.ts';
import { dropFromLists } from './refresh-row.ts';
import { runEach } from './run-each.ts';

const text = threadsText.deletion;

/** With more, the browser asks before the page is left, because it may not send all of their requests then. */
const sentOnLeaveMax = 50;

/**
 * Returns a function that deletes threads. They leave the lists at once. The server deletes them a few seconds later, in which the person
 * can take it back, or when the page is left: then all of them at once, since a page that is left can send no more after that.
 */
export function useDeleteThreads(): (ids: readonly string[]) => void {
  const api = useApi();
  const queries = useQueryClient();
  const { workspace_id } = useWorkspace();
  return useCallback(
    (ids) => {
      const actionId = `delete ${ids.join(' ')}`;
      const leaving = new AbortController();
      const beginNow = () => {
        leaving.abort();
        beginAction(actionId);
      };
      const show = () => {
        window.removeEventListener('pagehide', beginNow);
        showThreads(ids);
      };
      const deleted: string[] = [];
      async function run() {
        try {
          await runEach(ids, (id) => deleteOne(api, id).then(() => deleted.push(id)), leaving.signal);
        } finally {
          dropFromLists({ queries, workspaceId: workspace_id }, deleted);
          const lists = ['threads', 'inboxes'].map((name) =>
            queries.invalidateQueries({ queryKey: [workspace_id, name] }),
          );
          await Promise.all(lists).finally(show);
        }
      }
      const texts = {
        waiting: text.waiting(ids.length),
        running: text.running,
        done: () => text.done(ids.length),
        failed: text.failed,
        now: text.now,
      };
      hideThreads(ids);
      window.addEventListener('pagehide', beginNow);
      const onUndo = () => {
        show();
        // The button that was pressed disappeared with the notice.
        requestAnimationFrame(() => focusRow(ids[0] ?? ''));
      };
      holdAction({ id: actionId, texts, run, onUndo, warnOnLeave: ids.length > sentOnLeaveMax });
    },
    [api, queries, workspace_id],
  );
}

async function deleteOne(api: Postrider, id: string): Promise<void> {
  try {
    await api.threads.delete(id);
  } catch (error) {
    // Another person deleted it in between.
    if (errorCode(error) !== 'not_found') throw error;
  }
}
