import { setTimeout as sleep } from 'node:timers/promises';
import { obtain, openInbox } from '../attack-http.ts';
import { type Attack, type Attacker, flood } from '../attacker.ts';

const drafts = 700;
const dueInMs = 5_000;
/** The time to create the drafts. The plan allows ten a second. */
const makingMs = 90_000;

/** Creates drafts that are all due at `scheduled_at`. */
async function makeDrafts(attack: Attack, count: number, scheduled_at: string): Promise<void> {
  const { inboxes } = await obtain<{ inboxes: { id: string; address: string }[] }>(attack, {
    path: '/v1/inboxes',
  });
  const { id, address } = inboxes[0] as { id: string; address: string };
  const body = { inbox_id: id, to: [address], subject: 'Due', text: 'A few words.', scheduled_at };
  for (let made = 0; made < count && !attack.isOver(); made++)
    await obtain(attack, { method: 'POST', path: '/v1/drafts', body });
}

let dueAt = 0;

export const dueDrafts: Attacker = {
  name: 'due-drafts',
  about: 'has 700 drafts that are due at one second, and makes more that were due when they are made',
  prepare: async (attack) => {
    await openInbox(attack, 'box');
    // The drafts are created as fast as the plan allows. Their time is late enough for all of them.
    dueAt = Date.now() + makingMs + dueInMs;
    await makeDrafts(attack, drafts, new Date(dueAt).toISOString());
    await sleep(Math.max(0, dueAt - Date.now() - dueInMs));
  },
  attack: async (attack) => {
    const past = new Date(Date.now() - 60_000).toISOString();
    await flood(attack, 4, () => makeDrafts(attack, 10, past));
  },
};
