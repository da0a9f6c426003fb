import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnections, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { type Figure, ratio } from '../measure/goal.ts';
import { percentile } from '../measure/statistics.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { ratePosted, type Subscriber, type WebhookSubject } from './webhook-subject.ts';

const lightEvents = 60;
const lightPauseMs = 50;
const mails = 25;
const mailPauseMs = 200;
const backlogRows = 100_000;
const drained = 3_000;

/** Returns the times in milliseconds from the commit of a lone event to the arrival of its post. */
export async function lightLatencies(subject: WebhookSubject): Promise<number[]> {
  const [subscriber] = subject.subscribers as [Subscriber];
  await subject.forget();
  const committed = new Map<string, number>();
  for (let index = 0; index < lightEvents; index++) {
    const [id = ''] = await subject.writeEvents([subscriber], 1);
    committed.set(id, subject.committedAt());
    await sleep(lightPauseMs + (index % 7) * 10);
  }
  await ratePosted(subject, [subscriber], lightEvents);
  const posts = await subject.noted(subscriber.path);
  return posts.flatMap(([id, at]) => (committed.has(id) ? [at - (committed.get(id) ?? 0)] : []));
}

/**
 * Returns the times in milliseconds from the 250 of a mail to the arrival of its post, at 5 mails a second. Mails and posts have the same
 * order.
 */
export async function mailLatencies(subject: WebhookSubject): Promise<number[]> {
  const [{ inbox, path }] = subject.subscribers as [Subscriber];
  const { smtpPort } = subject.server;
  await subject.forget();
  const answered: number[] = [];
  for (let index = 0; index < mails; index++) {
    const text = `Mail ${index} of ${performance.now()}`;
    await sendMail(smtpPort, { from: 'ada@sender.example', to: inbox.address, subject: text, text });
    answered.push(performance.timeOrigin + performance.now());
    await sleep(mailPauseMs);
  }
  closeConnections(smtpPort);
  while ((await subject.count(path)) < mails) await sleep(50);
  return (await subject.noted(path)).map(([, at], index) => at - (answered[index] ?? at));
}

/**
 * Measures while the last webhook has 100,000 overdue retries. First its receiver hangs while others get events, then it responds again.
 */
export async function withBacklog(
  subject: WebhookSubject,
  usualMs: number,
): Promise<{ backlogSoon: Figure; backlogDrain: Figure }> {
  const last = subject.subscribers.at(-1) as Subscriber;
  const base = `http://127.0.0.1:${subject.sinkPort}`;
  await subject.forget();
  await subject.writeEvents([last], drained);
  const usualRate = await ratePosted(subject, [last], drained);
  await last.client.webhooks.update(last.webhookId, { url: `${base}/hang` });
  await queueDeliveries(subject, [last], { each: backlogRows, isRetry: true });
  await subject.database.query('update webhooks set failing_since = now() where id = $1', [last.webhookId]);
  await sleep(2_000);
  const p50 = percentile(await lightLatencies(subject), 0.5);
  await subject.forget();
  await last.client.webhooks.update(last.webhookId, { url: base + last.path });
  const drainRate = await ratePosted(subject, [last], drained);
  // Cancels the rest.
  await last.client.webhooks.update(last.webhookId, { enabled: false });
  await last.client.webhooks.update(last.webhookId, { enabled: true });
  return { backlogSoon: { value: p50 / usualMs }, backlogDrain: ratio(drainRate, usualRate) };
}
