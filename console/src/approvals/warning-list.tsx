import { Alert, Button, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { approvalText } from '#strings/approval.ts';
import type { Warning } from './find-warnings.ts';

const text = approvalText.warnings;

interface WarningListProps {
  warnings: Warning[];
  /** Called to show the source, which has the parts that are not shown. */
  onShowSource(): void;
}

/** The points to check before approving; nothing if there are none. */
export function WarningList({ warnings, onShowSource }: WarningListProps) {
  const sentences = warnings.flatMap(describeWarning);
  if (sentences.length === 0) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      variant="light"
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
