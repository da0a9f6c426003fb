import { Button } from '@mantine/core';
import type { Delivery } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { describeEnd } from './delivery-state.tsx';
import { awaitedId, useRedeliver } from './webhook-queries.ts';

const text = webhooksText.deliveries;

/** The button that posts the event of a delivery again. */
export function Redeliver({ delivery }: { delivery: Delivery }) {
  const { mutate, isPending } = useRedeliver(delivery.webhook_id);
  if (delivery.id === awaitedId) return null;
  function redeliver() {
    mutate(delivery, {
      onSuccess: ({ status, attempts }) => {
        const isFine = status === 'succeeded';
        const message = isFine ? text.redelivered : text.redeliverFailed(describeEnd(attempts.at(-1)));
        void notify({ message, tone: isFine ? 'good' : 'bad' });
      },
      onError: notifyProblem,
    });
  }
  return (
    <Button size="compact-xs" variant="default" loading={isPending} onClick={redeliver}>
      {text.redeliver}
    </Button>
  );
}
