import { Button, Code, Group, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { IconDownload } from '@tabler/icons-react';
import { approvalText } from '#strings/approval.ts';
import { byteSize } from '../lib/byte-size.ts';
import { ownLink } from '../lib/own-link.ts';
import { CopyButton } from '../parts/copy-button.tsx';

const shownCharacters = 12;

interface SourceDetailsProps {
  approval: Approval;
  /** Whether somebody has asked for the source. They may fold it again. */
  isOpen: boolean;
  onOpen(): void;
}

/** The fingerprint of what would go out, and, unfolded, its header fields and its source. */
export function SourceDetails({ approval, isOpen, onOpen }: SourceDetailsProps) {
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
