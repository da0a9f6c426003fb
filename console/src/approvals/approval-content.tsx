import './approvals.css';
import '../mail/mail.css';
import '../mail/message/message.css';
import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { Fragment, type ReactNode, useRef } from 'react';
import { approvalText } from '#strings/approval.ts';
import { ownLink } from '../lib/mail-paths.ts';
import { byteSize } from '../lib/numbers.ts';
import { FileList } from '../mail/message/attachment-list.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { RecipientList } from './approval-people.tsx';
import type { Warning } from './find-warnings.ts';
import type { Display } from './use-display.ts';
import { Versions } from './versions.tsx';

interface ApprovalContentProps {
  approval: Approval;
  display: Display;
  /** The page with the HTML of the message. */
  frameUrl: string;
  findFileUrl(id: string): Promise<string>;
  /** The original message, folded; null if there is none. */
  original: ReactNode;
}

/** Exactly what would be sent: recipients, texts, files, and the original message. */
export function ApprovalContent(props: ApprovalContentProps) {
  const { approval, display, frameUrl, findFileUrl, original } = props;
  const { message } = approval;
  const source = useRef<HTMLDivElement>(null);
  return (
    <Stack className="approval-content" gap={14} miw={0}>
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
        <Header approval={approval} />
      </section>
      <section aria-label={approvalText.content}>
        <Versions message={message} display={display} frameUrl={frameUrl} />
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
    </Stack>
  );
}

function Header({ approval: { message, headers } }: { approval: Approval }) {
  const { from_name, from_addr, reply_to_addrs, subject } = message;
  const fields = [
    { name: approvalText.from, value: from_name ? `${from_name} <${from_addr}>` : from_addr },
    ...(reply_to_addrs.length > 0 ? [{ name: approvalText.replyTo, value: reply_to_addrs.join(', ') }] : []),
    { name: approvalText.subject, value: subject || approvalText.noSubject },
    ...headers.filter(({ is_added }) => is_added),
  ];
  return (
    <dl className="message-details">
      {numbered(fields).map(({ place, name, value }) => (
        <Fragment key={place}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A header may have several fields with one name and one value. */
function numbered(fields: { name: string; value: string }[]) {
  return fields.map((field, place) => ({ ...field, place }));
}

const text = approvalText.warnings;

function WarningList({ warnings, onShowSource }: { warnings: Warning[]; onShowSource(): void }) {
  const sentences = warnings.flatMap(describeWarning);
  if (sentences.length === 0) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      title={text.label}
      icon={<IconAlertTriangle aria-hidden />}
      className="console-warning"
    >
      <List size="sm">
        {sentences.map((sentence) => (
          <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </List.Item>
        ))}
      </List>
      {warnings.some(({ kind }) => kind === 'hidden') && (
        <Button variant="default" size="xs" mt="xs" onClick={onShowSource}>
          {text.showSource}
        </Button>
      )}
    </Alert>
  );
}

function describeWarning(warning: Warning): string[] {
  switch (warning.kind) {
    case 'hidden':
      return [text.hidden, ...warning.parts.map((part) => text.parts[part.readers](part.text))];
    case 'diverted':
      return [text.diverted(warning.address, warning.writer)];
    case 'unproven_writer':
      return [text.unproven_writer(warning.writer)];
    case 'answers_elsewhere':
    case 'added':
      return [text[warning.kind](warning.addresses.join(', '))];
    case 'links':
      return warning.links.map(({ shown, leadsTo }) => text.link(shown, leadsTo));
    case 'files':
      return warning.files.map(({ filename, mime_type }) => text.file(filename ?? '', mime_type));
    default:
      return [text[warning.kind]];
  }
}

interface SourceDetailsProps {
  approval: Approval;
  /** Whether somebody has asked for the source. They may fold it again. */
  isOpen: boolean;
  onOpen(): void;
}

function SourceDetails({ approval, isOpen, onOpen }: SourceDetailsProps) {
  const { message_id, content_hash, headers, raw, message } = approval;
  return (
    <>
      <Group gap={4} title={approvalText.hashHelp}>
        <Text variant="note">
          {approvalText.hash} <Code>{content_hash.slice(0, 12)}</Code>
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
            {numbered(headers).map(({ place, name, value }) => (
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
