import type { Goal } from '../../measure/goal.ts';

const ms = { unit: 'ms', better: 'lower' } as const;
const fasterThanNaive = { unit: '×', better: 'higher' } as const;

/** The messages of the largest workspace that the goals are for. */
const goalMessages = 1_000_000;

/**
 * Returns the goals of the group `search` for so many messages in the largest workspace. Milliseconds are the 95th percentile of the
 * slowest class of queries. With other than a million messages there are no floors.
 */
export function searchGoals(messages: number) {
  const [large, middle, small, few] = [1, 10, 100, 200].map((part) => asText(messages / part));
  const goals = { ...keywordGoals({ large, middle, small, few }), ...meaningGoals({ large, middle }) };
  if (messages === goalMessages) return goals;
  const without = Object.entries(goals).map(([name, goal]) => [name, { ...goal, floor: null, target: null }]);
  return Object.fromEntries(without) as typeof goals;
}

function asText(count: number): string {
  return Math.round(count).toLocaleString('en');
}

type Sizes<Name extends string> = Record<Name, string | undefined>;

const keywordGoals = (size: Sizes<'large' | 'middle' | 'small' | 'few'>) =>
  ({
    keyword: {
      id: 'P14a',
      what: `best 20 of ${size.large} messages by keywords, 4 callers`,
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
      what: `P14a against ${size.middle} messages`,
      unit: '×',
      better: 'lower',
      floor: 3,
      target: 1.2,
    },
    naiveLarge: {
      id: 'P14c',
      what: `a GIN index, ts_rank over all matches and the best 20, against this server, ${size.large} messages`,
      ...fasterThanNaive,
      floor: 10,
      target: 50,
    },
    naiveMiddle: {
      id: 'P14d',
      what: `the same with ${size.middle}`,
      ...fasterThanNaive,
      floor: null,
      target: null,
    },
    naiveSmall: {
      id: 'P14e',
      what: `the same with ${size.small}`,
      ...fasterThanNaive,
      floor: null,
      target: null,
    },
    inInbox: {
      id: 'P15',
      what: `P14a in an inbox with ${size.few} of the messages`,
      ...ms,
      floor: 40,
      target: 12,
    },
    inInboxFurther: { id: 'P15f', what: 'P14f in the same inbox', ...ms, floor: null, target: null },
  }) satisfies Record<string, Goal>;

const meaningGoals = (size: Sizes<'large' | 'middle'>) =>
  ({
    semantic: {
      id: 'P16a',
      what: `semantic, ${size.middle} messages`,
      ...ms,
      floor: 250,
      target: 80,
    },
    hybrid: {
      id: 'P16b',
      what: `hybrid, ${size.middle} messages`,
      ...ms,
      floor: 350,
      target: 120,
    },
    semanticLarge: {
      id: 'P16c',
      what: `semantic, ${size.large} messages`,
      ...ms,
      floor: null,
      target: null,
    },
  }) satisfies Record<string, Goal>;
