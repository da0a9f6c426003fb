import type { Draft, ListDrafts } from 'postrider';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { forgetSaver } from '../compose/open-savers.ts';
import type { PagedList } from '../lib/paging.ts';
import { itemsIn, useClients, useList, useRefresh } from '../lib/query.ts';
import { holdAction, useHeldActions } from '../parts/held-actions.ts';
import { notifyProblem } from '../parts/notify.ts';

const text = draftsText.deleting;
const lists = ['drafts'];

/** Reads the drafts that pass the filters, newest first. Those that are being deleted are left out. */
export function useDrafts(filters: Pick<ListDrafts, 'status' | 'inbox_id'>): PagedList<Draft> {
  const held = useHeldActions();
  const list = useList(['drafts', filters], ({ api, signal }, cursor) =>
    itemsIn('drafts', api.drafts.list({ ...filters, cursor }, { signal })),
  );
  const hidden = new Set(held.filter(({ state }) => state !== 'failed').map(({ action }) => action.id));
  return { ...list, items: list.items.filter(({ id }) => !hidden.has(deleteActionId(id))) };
}

/** Returns a function that sets or clears the time of a draft. */
export function useSchedule(): (draft: Draft, time: string | null) => Promise<void> {
  const { api } = useClients();
  const refresh = useRefresh(lists);
  return async ({ id }, time) => {
    await api.drafts.update(id, { scheduled_at: time });
    forgetSaver(id);
    await refresh();
  };
}

/**
 * Returns a function that deletes a draft after some seconds, in which the person can take it back. A scheduled draft loses its time at
 * once, so that it is not sent meanwhile. Leaving the page deletes the draft at once.
 */
export function useDeleteDraft(): (draft: Draft) => Promise<void> {
  const { api } = useClients();
  const refresh = useRefresh(lists);
  const schedule = useSchedule();
  return async (draft) => {
    const time = draft.status === 'scheduled' ? draft.scheduled_at : null;
    if (time !== null) await schedule(draft, null);
    const run = async () => {
      await api.drafts.delete(draft.id);
      forgetSaver(draft.id);
      await refresh();
    };
    const onUndo = () => {
      if (time !== null) schedule(draft, time).catch(notifyProblem);
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`[data-draft-menu="${draft.id}"]`)?.focus(),
      );
    };
    const texts = {
      ...text,
      waiting: text.waiting(draft.subject || composeText.noSubject),
      done: () => text.done,
    };
    holdAction({ id: deleteActionId(draft.id), texts, run, onUndo, beginsOnLeave: true });
  };
}

function deleteActionId(draftId: string): string {
  return `delete ${draftId}`;
}
