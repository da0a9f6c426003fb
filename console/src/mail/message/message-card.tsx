import { Alert, Badge, Tooltip } from '@mantine/core';
import type { ApprovalSummary } from '@postrider/contract/console';
import type { Message } from 'postrider';
import { memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { messageText } from '#strings/message.ts';
import { useApproval } from '../../approvals/approval-queries.tsx';
import { approvalPath } from '../../lib/mail-paths.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { LabelChip } from '../labels/label-chip.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { MessageBody } from './message-body.tsx';
import { RecipientStory } from './recipient-story.tsx';
import { SenderProof } from './sender-proof.tsx';
import { isOfApproval, statusText, statusTone } from './story.ts';

interface MessageCardProps {
  message: Message;
  isOpen: boolean;
  /** Whether the address names this message, so that it is brought into view. */
  isAsked: boolean;
  onToggle(id: string): void;
}

/** A message: one line when it is closed, and everything about it when it is open. */
export const MessageCard = memo(function MessageCard({
  message,
  isOpen,
  isAsked,
  onToggle,
}: MessageCardProps) {
  const { id, from_addr, from_name, direction, delivery_status, created_at, snippet } = message;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) card.current?.scrollIntoView({ block: 'start' });
  }, [isAsked]);
  const isKept = message.recipients.length > 0 && message.recipients.every(({ sandboxed }) => sandboxed);
  const from = from_name || from_addr;
  return (
    <article ref={card} className="message-card" aria-label={`${messageText.from} ${from}`} id={id}>
      <div className="message-head">
        <button
          type="button"
          className="message-toggle"
          aria-expanded={isOpen}
          aria-label={isOpen ? messageText.collapse(from) : messageText.expand(from)}
          onClick={() => onToggle(id)}
        />
        <span className="message-from" title={from_addr}>
          {from}
        </span>
        {isOpen ? (
          <span className="message-address">{from_name ? from_addr : ''}</span>
        ) : (
          <span className="message-snippet">{snippet}</span>
        )}
        {direction === 'outbound' && (
          <StatusBadge tone={isKept ? 'quiet' : statusTone(delivery_status)}>
            {isKept ? messageText.story.kept : statusText(message)}
          </StatusBadge>
        )}
        <Time value={created_at} absolute={isOpen} />
      </div>
      {isOpen && <OpenMessage message={message} />}
    </article>
  );
});

function OpenMessage({ message }: { message: Message }) {
  const isInbound = message.direction === 'inbound';
  return (
    <div className="message-open">
      <MessageDetails message={message} />
      <MessageBody
        message={message}
        notes={isOfApproval(message) && <ApprovalNote message={message} />}
        marks={
          <>
            <SenderProof message={message} />
            {isInbound && <Mark help={messageText.outsideHelp}>{messageText.outside}</Mark>}
            {message.hidden_text && <Mark help={messageText.hiddenTextHelp}>{messageText.hiddenText}</Mark>}
            {message.auto_submitted && <Mark help={messageText.automaticHelp}>{messageText.automatic}</Mark>}
            {message.labels.map((label) => (
              <LabelChip key={label.id} label={label} />
            ))}
          </>
        }
      />
      {message.attachments.length > 0 && <AttachmentList attachments={message.attachments} />}
      {message.recipients.length > 0 && <RecipientStory message={message} />}
    </div>
  );
}

function Mark({ help, children }: { help: string; children: string }) {
  return (
    <Tooltip label={help} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge
        variant="outline"
        color="gray"
        size="sm"
        radius="sm"
        tt="none"
        fw={500}
        tabIndex={0}
        className="message-mark"
      >
        {children}
      </Badge>
    </Tooltip>
  );
}

const text = messageText.approval;

/** Says that a message waits for approval, or who refused it and why. */
function ApprovalNote({ message: { id, delivery_status } }: { message: Message }) {
  const isHeld = delivery_status === 'held';
  const { data: approval } = useApproval(id, !isHeld);
  if (!isHeld && approval === undefined) return null;
  return (
    <Alert
      role="note"
      color={isHeld ? 'yellow' : 'gray'}
      variant="light"
      p="xs"
      mb="sm"
      className="console-warning"
    >
      {approval === undefined ? text.held : describeEnding(approval)}{' '}
      <Link to={approvalPath(id)} className="message-note-link">
        {isHeld ? text.open : text.show}
      </Link>
    </Alert>
  );
}

function describeEnding({ state, decided_by, reason }: ApprovalSummary): string {
  if (state === 'expired') return text.expired;
  const by = decided_by?.name ?? text.operator;
  return reason === null ? text.refusedSilently(by) : text.refused(by, reason);
}

const shownAtFirst = 6;

/** The recipients of a message. */
function MessageDetails({ message }: { message: Message }) {
  const { to_addrs, cc_addrs, bcc_addrs, reply_to_addrs, envelope_to, direction } = message;
  const named = new Set([...to_addrs, ...cc_addrs]);
  // Plus tags and blind copies are in the envelope only.
  const envelope = direction === 'inbound' ? envelope_to.filter((address) => !named.has(address)) : [];
  return (
    <dl className="message-details">
      <Addresses name={messageText.to} addresses={to_addrs} />
      <Addresses name={messageText.cc} addresses={cc_addrs} />
      <Addresses name={messageText.bcc} addresses={bcc_addrs} />
      <Addresses name={messageText.replyTo} addresses={reply_to_addrs} />
      <Addresses name={messageText.envelope} addresses={envelope} />
    </dl>
  );
}

function Addresses({ name, addresses }: { name: string; addresses: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  if (addresses.length === 0) return null;
  const shown = isWhole ? addresses : addresses.slice(0, shownAtFirst);
  const more = addresses.length - shown.length;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {shown.join(', ')}{' '}
        {more > 0 && (
          <button type="button" className="mail-text-button" onClick={() => setWhole(true)}>
            {messageText.more(more)}
          </button>
        )}
      </dd>
    </>
  );
}
