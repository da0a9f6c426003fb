import type { PolicyIn, PolicyLevel } from '@postrider/contract';
import { keepPreviousData, useIsMutating, useMutation } from '@tanstack/react-query';
import { useChange, useClients, useRead, useRefresh } from '../lib/query.ts';

/** The places that a person can pause. */
export interface Place {
  level: 'workspace' | 'inbox' | 'key';
  subjectId: string;
  /** The name of the workspace or the key, or the address of the inbox. */
  name: string;
}

/** While something waits, its number changes. */
const countAgainMs = 15_000;

/** The lists that show what can be sent. */
export const controlLists: string[] = ['control', 'keys'];

/** Reads what people have set for the workspace, and the pauses in force. The stream of changes has it read again. */
export function useControl() {
  return useRead(['control'], ({ ask }) => ask('control.get'), {
    refetchInterval: ({ state: { data } }) => (data?.waiting ? countAgainMs : false),
  });
}

/** Returns the pause of a place; undefined if it is not paused. */
export function useActivePause({ level, subjectId }: Pick<Place, 'level' | 'subjectId'>) {
  const { data } = useControl();
  return data?.pauses.find((pause) => pause.level === level && pause.subject_id === subjectId);
}

/** Returns whether this page waits for the server to confirm a pause of the workspace. */
export function useIsStopping(): boolean {
  return useIsMutating({ mutationKey: ['pause', 'workspace'] }) > 0;
}

/** Pauses a place. The result says for how many recipients a relay was still taking mail. */
export function usePause({ level, subjectId }: Place) {
  const { ask } = useClients();
  return useMutation({
    mutationKey: ['pause', level],
    mutationFn: (reason: string) =>
      ask('control.pause', { body: { level, subject_id: subjectId, ...(reason !== '' && { reason }) } }),
    onSuccess: useRefresh(controlLists),
  });
}

/** Ends the pause of a place. */
export function useResume({ level, subjectId }: Place) {
  return useChange(controlLists, ({ ask }) =>
    ask('control.resume', { body: { level, subject_id: subjectId } }),
  );
}

/** Reads the effective policy for mail that a key sends from an inbox. An empty id is omitted. */
export function useEffectivePolicy(inboxId: string, keyId: string) {
  const query = { inbox_id: inboxId || undefined, key_id: keyId || undefined };
  return useRead(['control', 'effective', query], ({ ask }) => ask('control.effective', { query }), {
    placeholderData: keepPreviousData,
  });
}

/** Sets the policy of a place, in place of that before. Without lines there is none. */
export function useSetPolicy() {
  return useChange(
    controlLists,
    ({ ask }, { level, id, lines }: { level: PolicyLevel; id: string; lines: PolicyIn }) =>
      ask('control.setPolicy', { params: { level, id }, body: { lines } }),
  );
}
