import type { Control } from '@postrider/contract/console';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { askConsole } from '../lib/ask-console.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

/** The places that a person can pause. */
export interface Place {
  level: 'workspace' | 'inbox' | 'key';
  subjectId: string;
  /** The name of the workspace or the key, or the address of the inbox. */
  name: string;
}

/** While something waits, its number changes. */
const countAgainMs = 15_000;

/** Reads what people have set for the workspace, and the pauses in force. The stream of changes has it read again. */
export function useControl() {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery({
    queryKey: useQueryKey('control'),
    queryFn: ({ signal }): Promise<Control> => askConsole('control.get', {}, { workspace, signal }),
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
  const { workspace_id: workspace } = useWorkspace();
  const refresh = useRefresh();
  return useMutation({
    mutationKey: ['pause', level],
    mutationFn: (reason: string) => {
      const body = { level, subject_id: subjectId, ...(reason !== '' && { reason }) };
      return askConsole('control.pause', { body }, { workspace });
    },
    onSuccess: refresh,
  });
}

/** Ends the pause of a place. */
export function useResume({ level, subjectId }: Place) {
  const { workspace_id: workspace } = useWorkspace();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => askConsole('control.resume', { body: { level, subject_id: subjectId } }, { workspace }),
    onSuccess: refresh,
  });
}

/** Returns a function that has everything read again that shows what may be sent. */
export function useRefresh(): () => Promise<unknown> {
  const queries = useQueryClient();
  const keys = [useQueryKey('control'), useQueryKey('keys')];
  return () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
