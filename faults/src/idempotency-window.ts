import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@postrider/testkit/database/postgres.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendsThrough } from './subject.ts';
import type { Trial } from './trial.ts';

const minuteMs = 60_000;
const windowMs = 24 * 60 * minuteMs;
const edges = 20;

/** Repeats requests a minute before and a minute after the end of the 24 hours, on a server in this process with a movable clock. */
export async function crossWindow(trial: Trial): Promise<void> {
  const [postgres, sink, clock] = [await startPostgres(), await MailSink.start(), createMovingClock()];
  const env = { ...sendsThrough(sink), POSTRIDER_TIME_SCALE: '1' };
  const url = await postgres.createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-window-'));
  const server = await startTestServer({ database: { url }, clock, env, folder });
  let early = 0;
  let late = 0;
  try {
    const inbox = await server.inbox();
    for (let edge = 0; edge < edges; edge++) {
      const to = `edge-${edge}@example.com`;
      const body = { inbox_id: inbox.id, to: [to], subject: 'Edge', text: 'x', client_id: `edge-${edge}` };
      const first = await server.client.messages.send(body);
      clock.advance(windowMs - minuteMs);
      const within = await server.client.messages.send(body);
      if (within.id !== first.id || !within.idempotent || sink.copiesFor(to).length !== 1) early++;
      clock.advance(2 * minuteMs);
      const after = await server.client.messages.send(body);
      if (after.id === first.id || after.idempotent || sink.copiesFor(to).length !== 2) late++;
    }
  } finally {
    await server.stop().finally(() => Promise.all([postgres.stop({ mode: 'immediate' }), sink.close()]));
    await rm(folder, { recursive: true, force: true });
  }
  trial.figure('client ids over the edge of 24 hours', edges);
  trial.invariant('client ids that were free a minute before 24 hours', early, { exactly: 0 });
  trial.invariant('client ids that were taken a minute after 24 hours', late, { exactly: 0 });
}
