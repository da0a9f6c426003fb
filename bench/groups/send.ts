import { makeMessage } from '../load/message-body.ts';
import { judge, ratio } from '../measure/goal.ts';
import { startFollowedServer } from '../run/follow-server.ts';
import { type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { startExpress } from '../run/start-express.ts';
import { startRelay } from '../run/start-relay.ts';

const goals = {
  rate: {
    id: 'P7a',
    what: 'POST /messages, 10 connections, against express that stores, signs, sends and notes the outcome',
    unit: '×',
    better: 'higher',
    floor: 1.1,
    target: 1.5,
  },
  p99: {
    id: 'P7c',
    what: 'time in which 99 % of these are answered, against the same',
    unit: '×',
    better: 'lower',
    floor: 2,
    target: 1.5,
  },
} as const;

/** P7: how fast the API sends a message through a relay, against an API as it is usually begun. */
export const send: Group = async (bench) => {
  const relay = await startRelay(bench);
  const server = await startFollowedServer(bench, relay.settings);
  const express = await startExpress(bench, relay);
  let count = 0;
  const next = () => makeMessage(server.inbox.id, ++count);
  const post = ({ origin, key }: { origin: string; key: string }, seconds: number) =>
    sendRequests({ origin, key, connections: 10, seconds, next });
  const seconds = bench.seconds / 3;
  bench.progress('warming up');
  await post(server, seconds / 3);
  await post(express, seconds / 3);
  const rounds = await inRounds(bench, async () => {
    const subject = await post(server, seconds);
    const least = await post(express, seconds);
    bench.progress(`${describeLoad(subject)}; baseline ${describeLoad(least)}`);
    return {
      rate: ratio(subject.perSecond, least.perSecond),
      p99: ratio(subject.p99Ms, least.p99Ms),
    };
  });
  return [
    judge(
      goals.rate,
      rounds.map(({ rate }) => rate),
    ),
    judge(
      goals.p99,
      rounds.map(({ p99 }) => p99),
    ),
  ];
};
