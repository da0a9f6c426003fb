import type { Goal } from '../measure/goal.ts';

const rate = { unit: '×', better: 'higher' } as const;
const soon = { unit: 'ms', better: 'lower' } as const;

/** P8 to P12. */
export const webhookGoals = {
  limit: {
    id: 'P8a',
    what: 'deliveries of 10 webhooks, each rendered, signed and logged, against bare undici with 50 connections',
    ...rate,
    floor: 0.1,
    target: 0.3,
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
} as const satisfies Record<string, Goal>;
