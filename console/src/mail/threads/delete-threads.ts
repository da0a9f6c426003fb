import type { Postrider } from 'postrider';
import { useCallback } from 'react';
import { threadsText } from '#strings/threads.ts';
import { errorCode } from '../../lib/problem.ts';
import { keepForPerson } from '../../lib/session.ts';
import { createStore, type Store } from '../../lib/store.ts';
import { beginAction, holdAction } from '../../parts/held-actions.ts';
import { focusRow } from './row-focus.ts';
import { refreshLists, runEach } from './thread-changes.ts';
import { dropFromLists, useRowLists } from './thread-rows.ts';

const text = threadsText.deletion;

/** With more, the browser asks before the page is left, because it may not send all of their requests then. */
const sentOnLeaveMax = 50;

/** The ids of the threads that are being deleted. No list shows them, whatever the server still responds with. */
export const hiddenThreads: Store<ReadonlySet<string>> = createStore<ReadonlySet<string>>(new Set());

keepForPerson({ clear: () => hiddenThreads.set(new Set()) });

/**
 * Returns a function that deletes threads. They leave the lists at once. The server deletes them a few seconds later, in which the person
 * can take it back, or when the page is left: then all of them at once, since a page that is left can send no more after that.
 */
export function useDeleteThreads(): (ids: readonly string[]) => void {
  const lists = useRowLists();
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
        hiddenThreads.set(new Set([...hiddenThreads.get()].filter((id) => !ids.includes(id))));
      };
      const deleted: string[] = [];
      async function run() {
        try {
          await runEach(ids, (id) => deleteOne(lists.api, id).then(() => deleted.push(id)), leaving.signal);
        } finally {
          dropFromLists(lists, deleted);
          await refreshLists(lists).finally(show);
        }
      }
      const texts = { ...text, waiting: text.waiting(ids.length), done: () => text.done(ids.length) };
      hiddenThreads.set(new Set([...hiddenThreads.get(), ...ids]));
      window.addEventListener('pagehide', beginNow);
      const onUndo = () => {
        show();
        // The button that was pressed disappeared with the notice.
        requestAnimationFrame(() => focusRow(ids[0] ?? ''));
      };
      holdAction({ id: actionId, texts, run, onUndo, warnOnLeave: ids.length > sentOnLeaveMax });
    },
    [lists],
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
