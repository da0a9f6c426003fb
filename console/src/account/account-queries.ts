import type { OwnSession, Passkey, Person } from '@postrider/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askConsole } from '../lib/ask-console.ts';
import { type PagedList, useWholeList } from '../lib/paging.ts';
import { sessionKey } from '../lib/session.ts';
import { createPasskey } from './passkey-ceremony.ts';

const sessionsKey = ['me', 'sessions'];

/** Reads where the person is signed in, the device used last first. */
export function useOwnSessions(): PagedList<OwnSession> {
  return useWholeList({
    queryKey: sessionsKey,
    read: (signal) => askConsole('me.sessions', {}, { signal }),
    pickItems: ({ sessions }) => sessions,
  });
}

/** Ends one of the person's sessions. */
export function useEndSession() {
  return useAccountChange((id: string) => askConsole('me.endSession', { params: { id } }));
}

/** Ends all sessions of the person but this one. */
export function useEndOtherSessions() {
  return useAccountChange(() => askConsole('me.endOtherSessions', {}));
}

/** Gives the person another name. */
export function useRename() {
  return useAccountChange((name: string): Promise<Person> => askConsole('me.update', { body: { name } }));
}

/** Has mail about approvals sent to the person, or no longer. */
export function useSetApprovalMail(workspaceId: string) {
  return useAccountChange((isWanted: boolean) =>
    askConsole('me.updateMembership', {
      params: { id: workspaceId },
      body: { approval_mail: isWanted },
    }),
  );
}

/** Changes the password. Other sessions end. */
export function useChangePassword() {
  return useAccountChange((body: { current: string; password: string }) =>
    askConsole('me.changePassword', { body }),
  );
}

/** Begins a second factor. The result has the secret for the app. */
export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (password: string) => askConsole('me.beginSecondFactor', { body: { password } }),
  });
}

/** Turns the second factor on by a code of the app. The result has the recovery codes, this one time. */
export function useConfirmSecondFactor() {
  return useAccountChange((code: string) => askConsole('me.confirmSecondFactor', { body: { code } }));
}

/** Removes the second factor. */
export function useRemoveSecondFactor() {
  return useAccountChange((password: string) => askConsole('me.removeSecondFactor', { body: { password } }));
}

/** Every change of the account may change the person in the session, and its devices. */
function useAccountChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        [sessionKey, sessionsKey].map((queryKey) => queries.invalidateQueries({ queryKey, exact: true })),
      ),
  });
}

const passkeysKey = ['me', 'passkeys'];

/** Reads the passkeys of the person, oldest first. */
export function usePasskeys(): PagedList<Passkey> {
  return useWholeList({
    queryKey: passkeysKey,
    read: (signal) => askConsole('passkeys.list', {}, { signal }),
    pickItems: ({ passkeys }) => passkeys,
  });
}

/** Adds a passkey: the server makes the options, the browser the passkey, and the server checks it. */
export function useAddPasskey() {
  return usePasskeyChange(async ({ name, password }: { name: string; password: string }) => {
    const { ticket, options } = await askConsole('passkeys.addOptions', { body: { password } });
    const response = await createPasskey(options);
    return askConsole('passkeys.add', { body: { ticket, name, response } });
  });
}

/** Removes a passkey. Other sessions end. */
export function useRemovePasskey() {
  return usePasskeyChange(({ id, password }: { id: string; password: string }) =>
    askConsole('passkeys.remove', { params: { id }, body: { password } }),
  );
}

function usePasskeyChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  });
}
