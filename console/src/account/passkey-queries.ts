import type { Passkey } from '@postrider/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askConsole } from '../lib/ask-console.ts';
import { type PagedList, useWholeList } from '../lib/paging.ts';
import { createPasskey } from '../lib/passkey-ceremony.ts';

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
