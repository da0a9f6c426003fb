import './approvals.css';
import '../mail/mail.css';
import '../mail/message/message.css';
import { Button, Code, Group, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { IconDownload } from '@tabler/icons-react';
import { Fragment, type ReactNode, useRef } from 'react';
import { approvalText } from '#strings/approval.ts';
import { ownLink } from '../lib/mail-paths.ts';
import { byteSize } from '../lib/numbers.ts';
import { FileList } from '../mail/message/attachment-list.tsx';
import { LinkedText } from '../mail/message/linked-text.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { countLines } from './body-size.ts';
import { HtmlVersion } from './html-version.tsx';
import { RecipientList } from './recipient-list.tsx';
import type { Display } from './use-display.ts';
import { WarningList } from './warning-list.tsx';

interface ApprovalContentProps {
  approval: Approval;
  display: Display;
  /** The page with the HTML of the message. */
  frameUrl: string;
  /** Returns a fresh link to a file. */
  findFileUrl(id: string): Promise<string>;
  /** The original message, folded; null if there is none. */
  original: ReactNode;
}

/** Exactly what would be sent: recipients, texts, files, and the original message. */
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

const shownCharacters = 12;

interface SourceDetailsProps {
  approval: Approval;
  /** Whether somebody has asked for the source. They may fold it again. */
  isOpen: boolean;
  onOpen(): void;
}

/** The fingerprint of the message, and, unfolded, its header fields and its source. */
function SourceDetails({ approval, isOpen, onOpen }: SourceDetailsProps) {
  const { message_id, content_hash, headers, raw, message } = approval;
  const fields = headers.map((field, place) => ({ ...field, place }));
  return (
    <>
      <Group gap={4} title={approvalText.hashHelp}>
        <Text size="sm" c="dimmed">
          {approvalText.hash} <Code>{content_hash.slice(0, shownCharacters)}</Code>
        </Text>
        <CopyButton value={content_hash} label={approvalText.copyHash} size="xs" />
      </Group>
      <details
        className="approval-details"
        open={isOpen}
        onToggle={({ currentTarget }) => currentTarget.open && onOpen()}
      >
        <summary>{approvalText.source}</summary>
        <Button
          component="a"
          href={ownLink(raw.url)}
          download={`${message_id}.eml`}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {approvalText.download} ({byteSize(raw.size_bytes)})
        </Button>
        <table className="message-headers" aria-label={approvalText.headers}>
          <tbody>
            {fields.map(({ place, name, value }) => (
              <tr key={place}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {isOpen && message.body_html !== null && (
          <>
            <h3>{approvalText.htmlSource}</h3>
            <Code block className="approval-source">
              {message.body_html}
            </Code>
          </>
        )}
      </details>
    </>
  );
}
