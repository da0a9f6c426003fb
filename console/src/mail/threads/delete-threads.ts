import { useQueryClient } from '@tanstack/react-query';
import type { Postrider } from 'postrider';
import { useCallback } from 'react';
import { threadsText } from '#strings/threads.ts';
import { useApi } from '../../lib/api.ts';
import { codeOf } from '../../lib/problem.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { beginAction, holdAction } from '../../parts/held-actions.ts';
import { eachOf } from './each-of.ts';
import { hideThreads, showThreads } from './hidden-threads.ts';

const text = threadsText.deletion;

/**
 * Returns a function that deletes threads. They leave the lists at once. The server deletes them a few seconds later, in which the person
 * can take it back, or when the page is left.
 */
export function useDeleteThreads(): (ids: readonly string[]) => void {
  const api = useApi();
  const queries = useQueryClient();
  const { workspace_id } = useWorkspace();
  return useCallback(
    (ids) => {
      const actionId = `delete ${ids.join(' ')}`;
      const beginNow = () => beginAction(actionId);
      const show = () => {
        window.removeEventListener('pagehide', beginNow);
        showThreads(ids);
      };
      async function run() {
        try {
          await deleteAll(api, ids);
        } finally {
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
      holdAction({ id: actionId, texts, run, onUndo: show });
    },
    [api, queries, workspace_id],
  );
}

function deleteAll(api: Postrider, ids: readonly string[]): Promise<void> {
  return eachOf(ids, async (id) => {
    try {
      await api.threads.delete(id);
    } catch (error) {
      // Another person deleted it in between.
      if (codeOf(error) !== 'not_found') throw error;
    }
  });
}
