import { keepStored, readStored } from './browser.ts';
import { createStore } from './store.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const fullStyle = { dateStyle: 'full', timeStyle: 'long' } as const;
const shortStyle = { dateStyle: 'medium', timeStyle: 'short' } as const;
const exactStyle = { dateStyle: 'medium', timeStyle: 'medium' } as const;
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });
const dayAndYearFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the time from now in the reader's language, such as "3 min. ago". Less than a minute is "now". */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 0];
  return size === 0 ? relative.format(0, 'second') : relative.format(Math.trunc(seconds / size), unit);
}

/** Returns date, time and zone in the reader's language and zone. */
export function fullTime(iso: string): string {
  return formatFor(fullStyle).format(new Date(iso));
}

/** Returns a short date with the time in the reader's language and zone. */
export function shortTime(iso: string): string {
  return formatFor(shortStyle).format(new Date(iso));
}

/** Returns a day in the reader's language and zone, such as "3 May". A day of another year has its year. */
export function formatDay(iso: string, now: number = Date.now()): string {
  const at = new Date(iso);
  const isThisYear = at.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? dayFormat : dayAndYearFormat).format(at);
}

/** Returns a short date with the time to the second in the reader's language and zone. */
export function exactTime(iso: string): string {
  return formatFor(exactStyle).format(new Date(iso));
}

/** Returns a text of the server in which times such as `2026-11-20T09:30:00.000Z` are in the reader's language and zone. */
export function withLocalTimes(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, exactTime);
}

/** Creating a format takes long, and every row uses one, so each is created once. */
function formatFor(style: typeof fullStyle | typeof shortStyle | typeof exactStyle): Intl.DateTimeFormat {
  const { clock } = choices.get();
  const name = `${style.dateStyle} ${style.timeStyle} ${clock}`;
  const known = formats.get(name);
  if (known) return known;
  const hours = clock === 'language' ? {} : { hourCycle: clock };
  const format = new Intl.DateTimeFormat(undefined, { ...style, ...hours });
  formats.set(name, format);
  return format;
}

/** Returns the value of a field for a local date and time; empty for a text that is no time. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the time that is entered in a field for a local date and time, in ISO 8601; empty for an incomplete one. */
export function fromLocalInput(value: string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Returns nine o'clock of the next day in the reader's zone, in ISO 8601. */
export function tomorrowMorning(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).toISOString();
}

/** The ways to show times in this browser. */
export interface TimeChoices {
  /** "3 min. ago", or date and time. */
  style: 'ago' | 'date';
  /** As in the reader's language, or always with 12 or 24 hours. */
  clock: 'language' | 'h12' | 'h23';
}

const storageName = 'console-times';
const allowed = { style: ['ago', 'date'], clock: ['language', 'h12', 'h23'] } as const;
const choices = createStore(readChoices(readStored('localStorage', storageName)));

/** Returns how times are shown, and draws the component again when that changes. */
export function useTimeChoices(): TimeChoices {
  return choices.useValue();
}

/** Changes how times are shown, and keeps it in this browser. */
export function setTimeChoices(change: Partial<TimeChoices>): void {
  const next = { ...choices.get(), ...change };
  keepStored('localStorage', storageName, JSON.stringify(next));
  choices.set(next);
}

/** Reads the stored choices. Anything that is not a choice becomes the default. */
export function readChoices(stored: string | null): TimeChoices {
  const fields = parse(stored);
  return {
    style: allowed.style.find((style) => style === fields.style) ?? 'ago',
    clock: allowed.clock.find((clock) => clock === fields.clock) ?? 'language',
  };
}

function parse(stored: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(stored ?? '{}'));
  } catch {
    return {};
  }
}

const tickMs = 30_000;
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), tickMs);

/** Returns the time, which moves on every half minute. All times of a page share one timer. */
export function useNow(): number {
  return now.useValue();
}
