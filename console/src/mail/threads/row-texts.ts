import type { ThreadSummary } from '@postrider/contract/console';
import { threadsText } from '#strings/threads.ts';

const namesMax = 3;
const dayMs = 86_400_000;
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' });

/**
 * Returns who wrote to whom, for a row: the other participants, the writer of the newest received message by name, and "me" at the end
 * if the newest message answers them. Recipients who have not written are marked with "To". While the own address is not known, an
 * inbound row names its writer only.
 */
export function namePeople(
  {
    participants,
    last_message,
    last_writer,
  }: Pick<ThreadSummary, 'participants' | 'last_message' | 'last_writer'>,
  ownAddress: string | null,
): string {
  const { from_addr, direction } = last_message;
  const own = ownAddress ?? (direction === 'outbound' ? from_addr : null);
  const others = own === null ? [] : participants.filter((address) => address !== own);
  const writer = direction === 'inbound' && from_addr !== own ? [from_addr] : [];
  const all = [...new Set([...writer, ...others])];
  if (all.length === 0) return threadsText.me;
  const names = all.map((address) => (address === last_writer?.address && last_writer.name) || address);
  const more = names.length > namesMax ? ` ${threadsText.moreLabels(names.length - namesMax)}` : '';
  const shown = names.slice(0, namesMax).join(', ') + more;
  if (direction === 'inbound') return shown;
  return last_writer === null ? threadsText.to(shown) : threadsText.answered(shown);
}

/** Returns the time of a row in the reader's zone: the hour today, the day this year, otherwise the date. */
export function rowTime(iso: string, now: number): string {
  const at = new Date(iso);
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return clock.format(at);
  const isNear = now - at.getTime() < 180 * dayMs;
  return at.getFullYear() === today.getFullYear() || isNear ? dayAndMonth.format(at) : dayOfYear.format(at);
}
