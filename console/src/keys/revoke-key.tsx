import type { ApiKey } from '@postrider/contract/console';
import { keysText } from '#strings/keys.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { notify } from '../parts/notify.ts';
import { useRevokeKey } from './key-queries.ts';

const text = keysText.revoke;

/** The button that revokes a key. */
export function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const { mutateAsync } = useRevokeKey();
  async function revoke() {
    await mutateAsync(id);
    void notify({ message: text.done(name) });
  }
  return (
    <ConfirmButton
      label={text.label(name)}
      title={text.title(name)}
      message={text.message}
      confirm={text.confirm}
      onConfirm={revoke}
    >
      {text.button}
    </ConfirmButton>
  );
}
