import type { Goal } from '../measure/goal.ts';

const rate = { unit: '×', better: 'higher' } as const;
const soon = { unit: 'ms', better: 'lower' } as const;

/** The goals P8 to P12. */
export const webhookGoals = {
  limit: {
    id: 'P8a',
    what: 'queued deliveries of 10 webhooks, each rendered, signed and logged, against bare undici with 50 connections',
    ...rate,
    floor: 0.15,
    target: 0.25,
  },
  graphile: {
    id: 'P8b',
    what: 'the same against graphile-worker as it comes, 24 jobs at once',
    ...rate,
    floor: 1,
    target: 3,
  },
  boss: {
    id: 'P8c',
    what: 'the same against pg-boss, 4 workers with batches of 500',
    ...rate,
    floor: 0.7,
    target: 1.5,
  },
  fromEvents: {
    id: 'P8d',
    what: 'deliveries of 10 webhooks a second, from the commit of 10,000 events without an order',
    unit: '/s',
    better: 'higher',
    floor: null,
    target: null,
  },
  soonP50: {
    id: 'P9a',
    what: 'event committed to first post, light load, half are sooner',
    ...soon,
    floor: 25,
    target: 8,
  },
  soonP95: {
    id: 'P9b',
    what: 'event committed to first post, light load, 95 % are sooner',
    ...soon,
    floor: 80,
    target: 20,
  },
  hung: {
    id: 'P11',
    what: 'deliveries to 9 of 10 webhooks while the tenth never answers, against all ten healthy',
    ...rate,
    floor: 0.7,
    target: 0.9,
  },
  mailP50: {
    id: 'P10a',
    what: '250 to the post of the mail, 5 mails a second, half are sooner',
    ...soon,
    floor: 100,
    target: 30,
  },
  mailP95: {
    id: 'P10b',
    what: '250 to the post of the mail, 5 mails a second, 95 % are sooner',
    ...soon,
    floor: 300,
    target: 100,
  },
  backlogSoon: {
    id: 'P12a',
    what: 'event committed to first post while 100,000 retries of another webhook are overdue, against none',
    unit: '×',
    better: 'lower',
    floor: 3,
    target: 1.5,
  },
  backlogDrain: {
    id: 'P12b',
    what: 'deliveries of one webhook out of 100,000 overdue retries, against its fresh events with an empty queue',
    ...rate,
    floor: 0.6,
    target: 0.9,
  },
} as const satisfies Record<string, Goal>;
