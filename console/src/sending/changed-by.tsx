import type { PolicyEntry } from '@postrider/contract/console';
import { pauseText } from '#strings/pause.ts';
import { Time } from '../parts/time.tsx';

/** When a policy was changed, and by whom. */
export function ChangedBy({ entry: { updated_at, updated_by } }: { entry: PolicyEntry }) {
  const text = pauseText.bar;
  return (
    <>
      <Time value={updated_at} />
      {updated_by === null ? text.operator : text.by(updated_by.name)}
    </>
  );
}
