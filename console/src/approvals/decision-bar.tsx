import { Button, Group, Text, TextInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { isOverlayOpen, useShortcuts } from '../lib/shortcuts.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { Obstacle } from './use-display.ts';

const text = approvalText.actions;
/** The text about an obstacle. */
export const hints: Record<Obstacle, string> = {
  folded: text.showFirst,
  loading: text.loading,
  failed: text.notShown,
  cut: approvalText.cutHtml,
  hidden: text.openSource,
};

interface DecisionBarProps {
  /** The reason why the message cannot be approved yet. */
  obstacle: Obstacle | null;
  isPending: boolean;
  /** Loads again what could not be shown; null if all of it is there or under way. */
  onShowAgain: (() => void) | null;
  onApprove(): void;
  onRefuse(): void;
}

/** The two buttons of a decision, which stay in view. */
export function DecisionBar({ obstacle, isPending, onShowAgain, onApprove, onRefuse }: DecisionBarProps) {
  const mayApprove = obstacle === null && !isPending;
  useShortcuts({
    // It also works in fields, and so behind a dialog.
    'mod+enter': () => mayApprove && !isOverlayOpen() && onApprove(),
    r: () => !isPending && onRefuse(),
  });
  return (
    <Group component="section" className="approval-bar" aria-label={text.label} gap="sm">
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        disabled={!mayApprove}
        loading={isPending}
        onClick={onApprove}
        title={text.keys}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {text.approve}
      </Button>
      {onShowAgain !== null && (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onShowAgain}>
          {text.showAgain}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        disabled={isPending}
        onClick={onRefuse}
        aria-keyshortcuts="r"
      >
        {text.refuse}
      </Button>
      {obstacle !== null && (
        <Text size="sm" c="dimmed" flex="1 1 200px">
          {hints[obstacle]}
        </Text>
      )}
    </Group>
  );
}

const refusalText = approvalText.refusal;
const reasonCharactersMax: (typeof limits)['approvalReasonCharactersMax'] = 1_000;

interface RefuseDialogProps {
  isOpen: boolean;
  /** The number of messages to refuse. */
  count?: number;
  onClose(): void;
  /** The reason is empty if the person gives none. */
  onRefuse(reason: string): void;
}

/** The dialog that asks why messages are refused. */
export function RefuseDialog({ isOpen, count = 1, onClose, onRefuse }: RefuseDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={count === 1 ? refusalText.title : refusalText.titleOfMany(count)}
      submit={refusalText.confirm}
      onSubmit={async (field) => onRefuse(field('reason').trim())}
    >
      <ReasonField />
    </FormDialog>
  );
}

function ReasonField() {
  const [reason, setReason] = useState('');
  return (
    <>
      <TextInput
        name="reason"
        label={refusalText.reason}
        description={refusalText.help}
        maxLength={reasonCharactersMax}
        autoComplete="off"
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Group gap="xs" role="group" aria-label={refusalText.suggestionsLabel}>
        {refusalText.suggestions.map((suggestion) => (
          <Button
            key={suggestion}
            size="compact-sm"
            variant="default"
            aria-pressed={reason === suggestion}
            onClick={() => setReason(suggestion)}
          >
            {suggestion}
          </Button>
        ))}
      </Group>
    </>
  );
}
