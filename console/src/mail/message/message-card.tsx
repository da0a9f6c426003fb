import { Badge, Text, Tooltip } from '@mantine/core';
import type { Message } from 'postrider';
import { memo, useEffect, useRef } from 'react';
import { messageText } from '#strings/message.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { LabelChip } from '../labels/label-chip.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { MessageBody } from './message-body.tsx';
import { ApprovalNote, MessageDetails, RecipientStory, SenderProof } from './message-facts.tsx';
import { isOfApproval, statusText, statusTones } from './plain-words.ts';

interface MessageCardProps {
  message: Message;
  isOpen: boolean;
  /** Whether the address names this message, so that it is brought into view. */
  isAsked: boolean;
  onToggle(id: string): void;
}

/** A message: one line when it is closed, and everything about it when it is open. */
export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, isOpen, isAsked, onToggle } = props;
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
        <Text span maw="60%" fw={600} truncate title={from_addr}>
          {from}
        </Text>
        <Text span fz="sm" c="dimmed" truncate flex="1 1 0" miw={0}>
          {isOpen ? from_name && from_addr : snippet}
        </Text>
        {direction === 'outbound' && (
          <StatusBadge tone={isKept ? 'quiet' : statusTones[delivery_status]}>
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
      <Badge variant="outline" color="gray" tabIndex={0} className="message-mark">
        {children}
      </Badge>
    </Tooltip>
  );
}
