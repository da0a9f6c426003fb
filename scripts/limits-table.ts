/*
 * Writes the table of how much of each kind of work runs at once, and how often, into the page about limits, from the server's own figures.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Rate } from '../server/src/lib/admission/rate.ts';
import * as serverLimits from '../server/src/lib/admission/server-limits.ts';
import type { SlotLimits } from '../server/src/lib/admission/slots.ts';
import { writeOrCheck } from './generated-file.ts';
import { count, type LimitMeaning, serverLimitMeanings } from './reference/server-limit-meanings.ts';

const page = 'docs/self-hosting/limits.md';
const begin = '<!-- limits: made by `node scripts/limits-table.ts` -->';
const end = '<!-- end of limits -->';

type Row = LimitMeaning<never>;

function limitsTable(): string {
  const limits = new Map<string, object>(Object.entries(serverLimits));
  const rows = Object.entries(serverLimitMeanings as unknown as Record<string, Row>).map(
    ([name, meaning]) => {
      const limit = limits.get(name) ?? {};
      const { work, owner, beyond, reason } = meaning;
      const amount = meaning.amount?.(limit as never) ?? describeLimit(limit, meaning);
      return `| ${work} | ${owner === 'one' ? '' : owner} | ${amount} | ${beyond} | ${reason} |`;
    },
  );
  return [
    '| limit | counted by | amount | beyond it | reason |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function describeLimit(limit: object, meaning: Row): string {
  if ('slots' in limit) return describeSlots(limit as SlotLimits, meaning);
  if ('burst' in limit) return describeRate(limit as Rate, meaning);
  return Object.entries(limit as Record<string, Rate>)
    .map(([name, rate]) => `${name}: ${describeRate(rate, meaning)}`)
    .join('; ');
}

function describeSlots(limit: SlotLimits, { owner, unit }: Row): string {
  const { slots, ofOwner, shareOfFree, piecesOfOwner, waitMs, waitingOfOwner, rest } = limit;
  const quantity = (number: number) => (unit === 'bytes' ? bytes(number) : count(number));
  const inAll = Number.isFinite(slots) ? quantity(slots) : null;
  const own = Number.isFinite(ofOwner) && ofOwner !== slots ? `${quantity(ofOwner)} of one ${owner}` : null;
  const parts = [
    [inAll, own].filter((part) => part !== null).join(', '),
    piecesOfOwner === undefined ? null : `${piecesOfOwner} at a time`,
    shareOfFree === undefined
      ? null
      : `one ${owner} can take ${shareOfFree === 0.5 ? 'half' : shareOfFree} of what is free`,
    rest === undefined ? null : describeRest(rest),
    describeWait(waitMs, waitingOfOwner),
  ];
  return parts.filter((part) => part !== null && part !== '').join('; ');
}

function describeWait(waitMs: number | undefined, waiting: number | undefined): string | null {
  if (waitMs === undefined) return null;
  return `${waiting === undefined ? 'others' : `the next ${waiting}`} wait for up to ${seconds(waitMs)}`;
}

function describeRest({ share, msMax }: NonNullable<SlotLimits['rest']>): string {
  const longer = share === 1 ? 'as long again' : `${share} times its duration longer`;
  return `each counts for ${longer}, at most ${seconds(msMax)}`;
}

function describeRate({ perMinute, burst }: Rate, { unit }: Row): string {
  const quantity = (number: number) => (unit === 'bytes' ? bytes(number) : count(number));
  const often =
    perMinute < 1 ? `${count(Math.round(perMinute * 60))} per hour` : `${quantity(perMinute)} per minute`;
  return `${quantity(burst)}, then ${often}`;
}

function bytes(number: number): string {
  return `${count(number / 1_048_576)} MB`;
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

const text = await readFile(resolve(import.meta.dirname, '..', page), 'utf8');
if (!text.includes(begin) || !text.includes(end)) throw new Error(`${page} has lost the marks of its table.`);
const before = text.slice(0, text.indexOf(begin));
const after = text.slice(text.indexOf(end));
await writeOrCheck('limits-table', [
  { path: page, text: `${before}${begin}\n\n${limitsTable()}\n\n${after}` },
]);
