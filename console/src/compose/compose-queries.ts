import type { Draft, Postrider } from 'postrider';
import { useRead } from '../lib/query.ts';
import { type Purpose, readPurpose } from './draft-fields.ts';

const searchedDraftsMax = 100;

/** Reads a draft once, because the server's version must not replace what a person writes. */
export function useDraft(id: string | null) {
  return useRead(['draft', id], ({ api, signal }) => api.drafts.get(id ?? '', { signal }), {
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Reads the original message of a reply or forward. */
export function useOriginal(purpose: Purpose) {
  const id = purpose.kind === 'new' ? null : purpose.messageId;
  return useRead(['message', id], ({ api, signal }) => api.messages.get(id ?? '', { signal }), {
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the newest draft that replies to or forwards a message, among the newest 100 of its inbox; null if there is none. */
export async function findDraftFor(
  api: Postrider,
  { id, inbox_id }: { id: string; inbox_id: string },
  signal?: AbortSignal,
): Promise<Draft | null> {
  const page = await api.drafts.list({ inbox_id, limit: searchedDraftsMax }, { signal });
  const found = page.drafts.find((draft) => {
    const purpose = readPurpose(draft);
    return isEditable(draft) && purpose.kind !== 'new' && purpose.messageId === id;
  });
  return found ?? null;
}

function isEditable({ status }: Draft): boolean {
  return status === 'draft' || status === 'scheduled' || status === 'failed';
}
