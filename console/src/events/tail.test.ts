import type { PostriderEvent } from 'postrider';
import { sampleEvent } from 'postrider/testing';
import { expect, it } from 'vitest';
import { addEvents, emptyTail, eventsMax, paused, resumed } from './tail.ts';

const makeEvent = (n: number, bodyCharacters = 10): PostriderEvent => {
  const event = sampleEvent('message.received');
  const message = event.message && {
    ...event.message,
    body_text: 'x'.repeat(bodyCharacters),
    body_html: null,
  };
  return { ...event, id: `evt_${n}`, message };
};
const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => makeEvent(from + index));
const ids = (list: PostriderEvent[]) => list.map(({ id }) => id);

it('shows the newest event first', () => {
  const tail = addEvents(addEvents(emptyTail, events(1, 2)), events(3, 4));
  expect(ids(tail.shown)).toEqual(['evt_4', 'evt_3', 'evt_2', 'evt_1']);
  expect(tail.isCut).toBe(false);
});

it('keeps the newest thousand, and says that it left some out', () => {
  const tail = addEvents(addEvents(emptyTail, events(1, 900)), events(901, 1_200));
  expect(tail.shown).toHaveLength(eventsMax);
  expect(ids(tail.shown.slice(0, 1))).toEqual(['evt_1200']);
  expect(ids(tail.shown.slice(-1))).toEqual(['evt_201']);
  expect(tail.isCut).toBe(true);
});

it('lets events wait while it is paused, and counts all of them', () => {
  const tail = addEvents(
    addEvents(paused(addEvents(emptyTail, events(1, 2))), events(3, 4)),
    events(5, 1_500),
  );
  expect(ids(tail.shown)).toEqual(['evt_2', 'evt_1']);
  expect(tail.waiting).toHaveLength(eventsMax);
  expect(tail.waitingCount).toBe(1_498);
  const after = resumed(tail);
  expect(ids(after.shown.slice(0, 1))).toEqual(['evt_1500']);
  expect(after).toMatchObject({ isPaused: false, waitingCount: 0, isCut: true });
  expect(after.shown).toHaveLength(eventsMax);
});

it('loses nothing by a short pause', () => {
  const tail = resumed(addEvents(paused(addEvents(emptyTail, events(1, 2))), events(3, 4)));
  expect(ids(tail.shown)).toEqual(['evt_4', 'evt_3', 'evt_2', 'evt_1']);
  expect(tail.isCut).toBe(false);
});

it('keeps fewer events if their bodies are long, and always the newest', () => {
  const large = Array.from({ length: 5 }, (_, index) => makeEvent(index + 1, 5_000_000));
  expect(ids(addEvents(emptyTail, large).shown)).toEqual(['evt_5', 'evt_4', 'evt_3']);
  expect(ids(addEvents(emptyTail, [makeEvent(1, 20_000_000)]).shown)).toEqual(['evt_1']);
});
