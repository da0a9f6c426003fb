import * as z from 'zod';
import { limits } from '../limits.ts';

/** Returns the description and examples of a field, for `.meta()`. */
export function about<Example>(description: string, ...examples: Example[]) {
  return examples.length > 0 ? { description, examples } : { description };
}

/** One id of every kind, for examples. */
export const exampleIds = {
  inbox: 'inb_01m7yyvjvve8jaq5s0hvhdb6px',
  message: 'msg_01m7yyvjvwe8jaq5sc6ne7a3b2',
  thread: 'thr_01m7yyvjvwe8jaq5st2hkw14nx',
  attachment: 'att_01m7yyvjvwe8jaq5t3r9gvd6kh',
  label: 'lbl_01m7yyvjvwe8jaq5tas174ywtc',
  rule: 'rul_01m7yyvjvwe8jaq5tqz1v8w9y8',
  webhook: 'whk_01m7yyvjvwe8jaq5tvrew55wyb',
  delivery: 'dlv_01m7yyvjvwe8jaq5v5nnd2z9vq',
  draft: 'dft_01m7yyvjvwe8jaq5ve64mbcat7',
  domain: 'dom_01m7yyvjvwe8jaq5vhx1nbc48k',
  event: 'evt_01m7yyvjvwe8jaq5vxxzpjt8xv',
  workspace: 'wsp_01m7yyvjvwe8jaq5wmwbafz3s4',
  request: 'req_4zq1w8c0x7',
} as const;

const idPatterns = {
  inbox: /^inb_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  message: /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  thread: /^thr_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  attachment: /^att_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  label: /^lbl_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  rule: /^rul_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  webhook: /^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  delivery: /^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  draft: /^dft_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  domain: /^dom_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  event: /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  workspace: /^wsp_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
} as const;

/** The kinds of things that have ids. */
export type IdKind = keyof typeof idPatterns;

/** Returns the schema of an id in a response. It checks the spelling of the id, so that a wrong one is found in tests. */
export function idField(kind: IdKind, description: string) {
  return z.string().regex(idPatterns[kind]).meta(about(description, exampleIds[kind]));
}

/** Returns the schema of an id in a request. It accepts any text, because an unknown id is a 404 and never a 400. */
export function idIn(kind: IdKind, description: string) {
  return z.string().meta(about(description, exampleIds[kind]));
}

/** Returns the schema of a time in a response: UTC, with milliseconds and `Z`. */
export function timestamp(description: string) {
  return z.iso.datetime({ precision: 3 }).meta(about(description, '2026-11-20T09:30:00.000Z'));
}

const firstMs = Date.parse('0001-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns whether a time is in the years 1 to 9999 of UTC. Other years have no plain ISO 8601 spelling. */
function isInReach(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstMs && ms <= lastMs;
}

/** Returns the schema of a time in a request: ISO 8601 with seconds and a zone. */
export function timestampIn(description: string) {
  return z.iso
    .datetime({
      offset: true,
      abort: true,
      error:
        'must be an ISO 8601 time with seconds and a zone, like 2026-11-20T09:30:00Z (write + as %2B in a query)',
    })
    .refine(isInReach, { error: 'must lie in the years 1 to 9999' })
    .meta(about(description, '2026-11-20T09:30:00Z'));
}

function toWholeNumber(value: unknown) {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** Returns the schema of a whole number in a query, from `min` to `max`. It refuses `1e2`, `1.0`, signs and empty texts. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(toWholeNumber, z.int({ error }).min(min, { error }).max(max, { error }));
}

function toFlag(value: unknown) {
  return value === 'true' ? true : value === 'false' ? false : value;
}

/** Returns the schema of a flag in a query, which is `true` or `false` and nothing else. */
export function flag() {
  return z.preprocess(toFlag, z.boolean({ error: 'must be true or false' }));
}

/** The maximum number of items of a page, in a query. */
export const Limit = wholeNumber(1, limits.pageItemsMax)
  .default(limits.pageItemsDefault)
  .meta({ ...about('The maximum number of items to return.', 25), default: limits.pageItemsDefault });

const cursorCharactersMax = 1_024;

/** Query fields of every list with pages. */
export const pageQuery = {
  limit: Limit,
  cursor: z
    .string()
    .min(1)
    .max(cursorCharactersMax)
    .optional()
    .meta(about('The `next_cursor` of the previous page; opaque.', 'eyJ2IjoxfQ')),
};

/** The cursor for the next page, in the response of every list. */
export const NextCursor = z
  .string()
  .nullable()
  .meta(about('The `cursor` of the next page; null on the last page.', 'eyJ2IjoxfQ'));

/** Query field of lists that can wait for their first item. */
export const WaitSeconds = wholeNumber(0, limits.waitSecondsMax)
  .optional()
  .meta(about('The maximum number of seconds to wait for the first item.', 30));

/** Body of a request that has no fields: nothing at all, or an empty object. */
export const NoFields = z.strictObject({}).optional();

/** Returns the path parameters of a route about one thing. Any text is accepted, because an unknown id is a 404. */
export function pathId(kind: IdKind, description: string) {
  return z.object({ id: idIn(kind, description) });
}
