import { makeMessage } from '../load/message-body.ts';
import { type Figure, judge, ratio } from '../measure/goal.ts';
import { startFollowedServer } from '../run/follow-server.ts';
import { type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { startExpress } from '../run/start-express.ts';
import { startRelay } from '../run/start-relay.ts';

const goals = {
  rate: {
    id: 'P7a',
    what: 'POST /messages, 10 connections, against express, key look-up and one INSERT',
    unit: '×',
    better: 'higher',
    floor: 0.2,
    target: 0.4,
  },
  p50: {
    id: 'P7b',
    what: 'POST /messages, half are faster',
    unit: 'ms',
    better: 'lower',
    floor: 22,
    target: 8,
  },
  p99: {
    id: 'P7c',
    what: 'POST /messages, 99 % are faster',
    unit: 'ms',
    better: 'lower',
    floor: 157,
    target: 40,
  },
} as const;

/** P7: how fast the API accepts a message that goes out through a relay. */
export const send: Group = async (bench) => {
  const server = await startFollowedServer(bench, (await startRelay(bench)).settings);
  const express = await startExpress(bench);
  let count = 0;
  const next = () => makeMessage(server.inbox.id, ++count);
  const post = (origin: string, key: string, seconds: number) =>
    sendRequests({ origin, key, connections: 10, seconds, next });
  const postToServer = (seconds: number) => post(server.origin, server.key, seconds);
  const postToExpress = (seconds: number) => post(express.origin, express.key, seconds);
  const seconds = bench.seconds / 3;
  bench.progress('warming up');
  await postToServer(seconds / 3);
  await postToExpress(seconds / 3);
  const rounds = await inRounds(bench, async () => {
    const subject = await postToServer(seconds);
    const least = await postToExpress(seconds);
    bench.progress(`${describeLoad(subject)}; baseline ${describeLoad(least)}`);
    return {
      rate: ratio(subject.perSecond, least.perSecond),
      p50: { value: subject.p50Ms } as Figure,
      p99: { value: subject.p99Ms } as Figure,
    };
  });
  return [
    judge(
      goals.rate,
      rounds.map(({ rate }) => rate),
    ),
    judge(
      goals.p50,
      rounds.map(({ p50 }) => p50),
    ),
    judge(
      goals.p99,
      rounds.map(({ p99 }) => p99),
    ),
  ];
};
