import './approvals.css';
import '../mail/mail.css';
import '../mail/message/message.css';
import { Button, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { Fragment, type ReactNode, useRef } from 'react';
import { approvalText } from '#strings/approval.ts';
import { FileList } from '../mail/message/attachment-list.tsx';
import { LinkedText } from '../mail/message/linked-text.tsx';
import { countLines } from './body-size.ts';
import { HtmlVersion } from './html-version.tsx';
import { RecipientList } from './recipient-list.tsx';
import { SourceDetails } from './source-details.tsx';
import type { Display } from './use-display.ts';
import { WarningList } from './warning-list.tsx';

interface ApprovalContentProps {
  approval: Approval;
  display: Display;
  /** The page with the HTML of the message. */
  frameUrl: string;
  /** Returns a fresh link to a file. */
  findFileUrl(id: string): Promise<string>;
  /** The message that it answers, folded; null if there is none. */
  original: ReactNode;
}

/** Exactly what would go out: to whom, with which texts and files, and what it answers. */
export function ApprovalContent(props: ApprovalContentProps) {
  const { approval, display, frameUrl, findFileUrl, original } = props;
  const { message, headers } = approval;
  const added = headers.map((field, place) => ({ ...field, place })).filter(({ is_added }) => is_added);
  const source = useRef<HTMLDivElement>(null);
  return (
    <div className="approval-content">
      <WarningList
        warnings={display.warnings}
        onShowSource={() => {
          display.open('source');
          source.current?.scrollIntoView();
        }}
      />
      <section aria-label={approvalText.recipients}>
        <h3>{approvalText.recipients}</h3>
        <RecipientList approval={approval} />
        <dl className="message-details">
          <dt>{approvalText.from}</dt>
          <dd>{message.from_name ? `${message.from_name} <${message.from_addr}>` : message.from_addr}</dd>
          {message.reply_to_addrs.length > 0 && (
            <>
              <dt>{approvalText.replyTo}</dt>
              <dd>{message.reply_to_addrs.join(', ')}</dd>
            </>
          )}
          <dt>{approvalText.subject}</dt>
          <dd>{message.subject || approvalText.noSubject}</dd>
          {added.map(({ place, name, value }) => (
            <Fragment key={place}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
      <section aria-label={approvalText.content}>
        <Versions approval={approval} display={display} frameUrl={frameUrl} />
        {message.attachments.length > 0 && (
          <FileList attachments={message.attachments} findUrl={findFileUrl} />
        )}
      </section>
      {original ?? (message.in_reply_to !== null && <Text c="dimmed">{approvalText.answersGone}</Text>)}
      <div ref={source}>
        <SourceDetails
          approval={approval}
          isOpen={display.isOpen('source')}
          onOpen={() => display.open('source')}
        />
      </div>
    </div>
  );
}

function Versions({
  approval,
  display,
  frameUrl,
}: Pick<ApprovalContentProps, 'approval' | 'display' | 'frameUrl'>) {
  const { body_html, body_text, subject } = approval.message;
  const isEmpty = body_html === null && (body_text ?? '') === '';
  return (
    <>
      {isEmpty && <Text c="dimmed">{approvalText.noBody}</Text>}
      {body_html !== null && (
        <>
          <h3>{approvalText.formatted}</h3>
          <HtmlVersion subject={subject} url={frameUrl} display={display} />
        </>
      )}
      {body_text !== null && body_text !== '' && (
        <>
          <h3>{approvalText.plain}</h3>
          <PlainVersion value={body_text} display={display} />
        </>
      )}
    </>
  );
}

function PlainVersion({ value, display }: { value: string; display: Display }) {
  const isOpen = display.isOpen('text');
  return (
    <>
      <div className="approval-text" data-folded={!isOpen || undefined}>
        <LinkedText value={value} charactersMax={Number.POSITIVE_INFINITY} />
      </div>
      {!isOpen && (
        <Button variant="default" size="xs" mt="xs" onClick={() => display.open('text')}>
          {approvalText.showAllText(countLines(value))}
        </Button>
      )}
    </>
  );
}
