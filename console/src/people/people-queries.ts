import type { Invitation, Member, Role } from '@postrider/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askConsole } from '../lib/ask-console.ts';
import { type PagedList, useWholeList } from '../lib/paging.ts';
import { sessionKey, useSession } from '../lib/session.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

/** Reads the people of the workspace, in the order in which they joined. */
export function useMembers(): PagedList<Member> {
  const { workspace_id: workspace } = useWorkspace();
  return useWholeList({
    queryKey: useQueryKey('members'),
    read: (signal) => askConsole('people.members', {}, { workspace, signal }),
    pickItems: ({ members }) => members,
  });
}

/** Reads the invitations that can still be accepted, newest first. */
export function useInvitations(): PagedList<Invitation> {
  const { workspace_id: workspace } = useWorkspace();
  return useWholeList({
    queryKey: useQueryKey('invitations'),
    read: (signal) => askConsole('people.invitations', {}, { workspace, signal }),
    pickItems: ({ invitations }) => invitations,
  });
}

/** Changes the role of a member. A change of the own role also changes what the pages show. */
export function useSetRole() {
  const queries = useQueryClient();
  const { person } = useSession();
  return useChange('members', async (workspace, { id, role }: { id: string; role: Role }) => {
    await askConsole('people.setRole', { params: { id }, body: { role } }, { workspace });
    if (id === person.id) await queries.invalidateQueries({ queryKey: sessionKey });
  });
}

/** Takes a member out of the workspace. Whoever leaves has to sign in again. */
export function useRemoveMember() {
  const queries = useQueryClient();
  const { person } = useSession();
  return useChange('members', async (workspace, id: string) => {
    await askConsole('people.removeMember', { params: { id } }, { workspace });
    if (id === person.id) await queries.invalidateQueries({ queryKey: sessionKey });
  });
}

/** Invites a person. The result has the link, this one time. */
export function useInvite() {
  return useChange('invitations', (workspace, body: { email: string; role: Role }) =>
    askConsole('people.invite', { body }, { workspace }),
  );
}

/** Takes an invitation back. */
export function useRevokeInvitation() {
  return useChange('invitations', (workspace, id: string) =>
    askConsole('people.revokeInvitation', { params: { id } }, { workspace }),
  );
}

function useChange<Input, Result>(
  list: 'members' | 'invitations',
  change: (workspace: string, input: Input) => Promise<Result>,
) {
  const queries = useQueryClient();
  const queryKey = useQueryKey(list);
  const { workspace_id: workspace } = useWorkspace();
  return useMutation({
    mutationFn: (input: Input) => change(workspace, input),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}
