import { appText } from '#strings/app.ts';
import { useLiveState } from '../lib/use-live.ts';

/** Shows whether new mail appears by itself. */
export function LiveDot() {
  const isOpen = useLiveState() === 'open';
  const label = isOpen ? appText.live.open : appText.live.waiting;
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="console-live-dot"
      data-open={isOpen || undefined}
    />
  );
}
