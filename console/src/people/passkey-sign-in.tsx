import { Button, Divider } from '@mantine/core';
import type { Session } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { passkeysText } from '#strings/account.ts';
import { choosePasskey, passkeyObstacle } from '../account/passkey-ceremony.ts';
import { PasskeyProblem } from '../account/passkey-problem.tsx';
import { askConsole } from '../lib/ask-console.ts';

/** The button that signs in by a passkey. It is left out where browsers have none. */
export function PasskeySignIn({ onSession }: { onSession(session: Session): void }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: signInByPasskey, onSuccess: onSession });
  if (passkeyObstacle() !== null) return null;
  return (
    <>
      <Divider label={passkeysText.or} />
      {error && <PasskeyProblem error={error} />}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {passkeysText.signIn}
      </Button>
    </>
  );
}

async function signInByPasskey(): Promise<Session> {
  const { ticket, options } = await askConsole('passkeys.signInOptions', {});
  const response = await choosePasskey(options);
  return askConsole('passkeys.signIn', { body: { ticket, response } });
}
