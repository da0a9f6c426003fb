import type { Goal } from '../measure/goal.ts';

const ms = { unit: 'ms', better: 'lower' } as const;
const fasterThanNaive = { unit: '×', better: 'higher' } as const;

/** The goals of the group `search`. Milliseconds are the 95th percentile of the slowest class of queries. */
export const searchGoals = {
  keyword: {
    id: 'P14a',
    what: 'best 20 of 1,000,000 messages by keywords, 4 callers',
    ...ms,
    floor: 60,
    target: 20,
  },
  keywordFurther: {
    id: 'P14f',
    what: 'the same with a typo, the beginning of a word, an order number, or words that seldom meet',
    ...ms,
    floor: null,
    target: null,
  },
  growth: {
    id: 'P14b',
    what: 'P14a against 100,000 messages',
    unit: '×',
    better: 'lower',
    floor: 3,
    target: 1.2,
  },
  naiveLarge: {
    id: 'P14c',
    what: 'a GIN index, ts_rank over all matches and the best 20, against this server, 1,000,000 messages',
    ...fasterThanNaive,
    floor: 10,
    target: 50,
  },
  naiveMiddle: { id: 'P14d', what: 'the same with 100,000', ...fasterThanNaive, floor: null, target: null },
  naiveSmall: { id: 'P14e', what: 'the same with 10,000', ...fasterThanNaive, floor: null, target: null },
  inInbox: { id: 'P15', what: 'P14a in an inbox with 5,000 of the messages', ...ms, floor: 40, target: 12 },
  inInboxFurther: { id: 'P15f', what: 'P14f in the same inbox', ...ms, floor: null, target: null },
  semantic: {
    id: 'P16a',
    what: 'semantic, 100,000 messages, without pgvector',
    ...ms,
    floor: 250,
    target: 80,
  },
  hybrid: { id: 'P16b', what: 'hybrid, 100,000 messages, without pgvector', ...ms, floor: 350, target: 120 },
  semanticLarge: {
    id: 'P16c',
    what: 'semantic, 1,000,000 messages, without pgvector',
    ...ms,
    floor: null,
    target: null,
  },
} satisfies Record<string, Goal>;
