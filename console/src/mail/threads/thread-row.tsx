import type { ThreadSummary } from '@postrider/contract/console';
import { IconAlertTriangle, IconClock, IconPaperclip } from '@tabler/icons-react';
import { memo } from 'react';
import { threadsText } from '#strings/threads.ts';
import { fullTime } from '../../lib/times.ts';
import { LabelChip } from '../labels/label-chip.tsx';

interface ThreadRowProps {
  row: ThreadSummary;
  href: string;
  /** The distance from the top of the list, in pixels. */
  top: number;
  index: number;
  isOpen: boolean;
  isCurrent: boolean;
  isChosen: boolean;
  ownAddress: string | null;
  /** The name of the inbox, if the list shows all inboxes. */
  inboxName: string | null;
  /** The day, so that a row is drawn again when the next one begins. */
  today: number;
}

const labelsShown = 2;
/** The states that a row shows even after somebody has replied. */
const troubles = new Set(['complained', 'bounced', 'rejected', 'failed', 'held']);

/** A row of the list of threads. It is drawn again only if its thread or its state changes. */
export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { row, href, top, index, isOpen, isCurrent, isChosen, ownAddress, inboxName, today } = props;
  const { id, subject, labels, last_message, last_message_at, message_count } = row;
  const isUnread = row.unread_count > 0;
  const title = subject || threadsText.noSubject;
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={-1}
      className="thread-row"
      style={{ transform: `translateY(${top}px)` }}
      data-thread={id}
      data-unread={isUnread || undefined}
      data-open={isOpen || undefined}
      data-current={isCurrent || undefined}
      data-chosen={isChosen || undefined}
    >
      <label className="thread-check">
        <input type="checkbox" checked={isChosen} readOnly aria-label={threadsText.select(title)} />
      </label>
      <a href={href} className="thread-link" aria-current={isOpen || undefined} data-thread-link={id}>
        <span className="thread-who">
          {isUnread && <span className="thread-dot" role="img" aria-label={threadsText.unread} />}
          <span className="thread-people">{namePeople(row, ownAddress)}</span>
          {message_count > 1 && (
            <span className="thread-count" title={threadsText.messages(message_count)}>
              {message_count}
            </span>
          )}
        </span>
        <span className="thread-time">
          {row.has_attachments && (
            <IconPaperclip size={14} role="img" aria-label={threadsText.files} className="thread-icon" />
          )}
          <time dateTime={last_message_at} title={fullTime(last_message_at)}>
            {rowTime(last_message_at, today)}
          </time>
        </span>
        <span className="thread-subject">{title}</span>
        <span className="thread-more">
          {labels.slice(0, labelsShown).map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
          {labels.length > labelsShown && (
            <span className="thread-count">{threadsText.moreLabels(labels.length - labelsShown)}</span>
          )}
          <span className="thread-snippet">{last_message.snippet}</span>
        </span>
        <span className="thread-facts">
          {inboxName !== null && <span className="thread-inbox">{inboxName}</span>}
          <RowState row={row} />
        </span>
      </a>
    </li>
  );
});

/** The progress of the newest sent message. Good news is shown only while nobody has replied. */
function RowState({ row: { sent_status, last_message } }: { row: ThreadSummary }) {
  if (sent_status === null) return null;
  const isTrouble = troubles.has(sent_status);
  if (!isTrouble && last_message.direction === 'inbound') return null;
  const Icon = sent_status === 'held' ? IconClock : IconAlertTriangle;
  return (
    <span className="thread-state" data-kind={isTrouble ? sent_status : undefined}>
      {isTrouble && <Icon size={13} aria-hidden />}
      {threadsText.states[sent_status]}
    </span>
  );
}

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
