import { Alert, Button, Group, List, Text } from '@mantine/core';
import { APIError, type DroppedRecipient } from 'postrider';
import type { ReactNode } from 'react';
import { composeText } from '#strings/compose.ts';
import { errorCode } from '../lib/problem.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import type { Hindrance } from './use-send.ts';

interface SendHindranceProps {
  hindrance: Hindrance;
  onSendToOthers(): void;
  onSendAnyway(): void;
  onEdit(): void;
}

/** Shows why a message was not sent, and what can be done. */
export function SendHindrance({ hindrance, onSendToOthers, onSendAnyway, onEdit }: SendHindranceProps) {
  const { note, check, error } = hindrance;
  if (note !== undefined) return <Warning title={note} />;
  if (check) {
    const { deliverable, dropped } = check;
    const isNobody = deliverable.length === 0;
    return (
      <Warning title={isNobody ? composeText.check.none : composeText.check.title}>
        <DroppedList dropped={dropped} />
        <Group gap="xs" mt="sm">
          {!isNobody && (
            <Button size="xs" onClick={onSendToOthers}>
              {composeText.check.sendToOthers(deliverable.length)}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onEdit}>
            {composeText.check.edit}
          </Button>
        </Group>
      </Warning>
    );
  }
  if (errorCode(error) === 'draft_already_sent')
    return (
      <Warning title={composeText.alreadySent.title}>
        <Text>{composeText.alreadySent.message}</Text>
      </Warning>
    );
  if (errorCode(error) === 'auto_reply_loop')
    return (
      <Warning title={composeText.loop.title}>
        <Text>{composeText.loop.message}</Text>
        <Button size="xs" variant="default" mt="sm" onClick={onSendAnyway}>
          {composeText.loop.sendAnyway}
        </Button>
      </Warning>
    );
  const blocked = readBlocked(error);
  return (
    <>
      <ApiProblem error={error} />
      {blocked.length > 0 && <DroppedList dropped={blocked} />}
    </>
  );
}

function Warning({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert role="alert" color="yellow" variant="light" title={title} className="console-warning">
      {children}
    </Alert>
  );
}

function DroppedList({ dropped }: { dropped: DroppedRecipient[] }) {
  return (
    <List size="sm" mt={4}>
      {dropped.map(({ address, reason }) => (
        <List.Item key={address} style={{ overflowWrap: 'anywhere' }}>
          <b>{address}</b> {composeText.check.reasons[reason]}
        </List.Item>
      ))}
    </List>
  );
}

function readBlocked(error: unknown): DroppedRecipient[] {
  if (!(error instanceof APIError) || error.code !== 'no_deliverable_recipients') return [];
  const { blocked } = error.body as { blocked?: unknown };
  return Array.isArray(blocked) ? (blocked as DroppedRecipient[]) : [];
}
