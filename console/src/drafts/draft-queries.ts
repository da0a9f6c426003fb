import { useQueryClient } from '@tanstack/react-query';
import type { Draft, DraftPage, ListDrafts } from 'postrider';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { forgetSaver } from '../compose/open-savers.ts';
import { useApi } from '../lib/api.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { holdAction, useHeldActions } from '../parts/held-actions.ts';
import { notifyProblem } from '../parts/notify-problem.ts';

const text = draftsText.deleting;
const pickDrafts = ({ drafts }: DraftPage) => drafts;

/** Reads the drafts that pass the filters, newest first. Those that are being deleted are left out. */
export function useDrafts(filters: Pick<ListDrafts, 'status' | 'inbox_id'>): PagedList<Draft> {
  const api = useApi();
  const held = useHeldActions();
  const list = usePagedList({
    queryKey: useQueryKey('drafts', filters),
    read: (cursor, signal) => api.drafts.list({ ...filters, cursor }, { signal }),
    pickItems: pickDrafts,
  });
  const hidden = new Set(held.filter(({ state }) => state !== 'failed').map(({ action }) => action.id));
  return { ...list, items: list.items.filter(({ id }) => !hidden.has(deleteActionId(id))) };
}

/** Returns a function that sets or clears the time of a draft. */
export function useSchedule(): (draft: Draft, time: string | null) => Promise<void> {
  const api = useApi();
  const refresh = useRefresh();
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
  const api = useApi();
  const refresh = useRefresh();
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

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  const queryKey = useQueryKey('drafts');
  return () => queries.invalidateQueries({ queryKey });
}
