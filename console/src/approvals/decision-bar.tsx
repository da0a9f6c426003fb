import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { limits } from '@postrider/contract';
import type { DecideApprovals } from '@postrider/contract/console';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { isOverlayOpen, useShortcuts } from '../lib/shortcuts.ts';
import { type DialogProps, FormDialog } from '../parts/form-dialog.tsx';
import type { Display, Obstacle } from './use-display.ts';

const text = approvalText.actions;
/** The text about an obstacle. */
export const hints: Record<Obstacle, string> = {
  folded: text.showFirst,
  loading: text.loading,
  failed: text.notShown,
  cut: approvalText.cutHtml,
  hidden: text.openSource,
};

/** A decision, with the reason if the person gives one. */
export type MadeDecision = Pick<DecideApprovals, 'decision' | 'reason'>;

interface DecisionBarProps {
  display: Pick<Display, 'obstacle' | 'showAgain'>;
  isPending: boolean;
  /** Whether the decision is still open. A dialog stays even if somebody else has decided, so that what was typed in it does. */
  isShown: boolean;
  onDecide(made: MadeDecision): void;
}

/** The two buttons of a decision, which stay in view. */
export function DecisionBar({ display, isPending, isShown, onDecide }: DecisionBarProps) {
  const { obstacle, showAgain } = display;
  const [isRefusing, { open, close }] = useDisclosure(false);
  const approve = () => onDecide({ decision: 'approve' });
  const mayApprove = isShown && obstacle === null && !isPending;
  useShortcuts({
    // It also works in fields, and so behind a dialog.
    'mod+enter': () => mayApprove && !isOverlayOpen() && approve(),
    r: () => isShown && !isPending && open(),
  });
  return (
    <>
      {isShown && (
        <Group component="section" className="approval-bar" aria-label={text.label} gap="sm">
          <Button
            leftSection={<IconCheck size={16} aria-hidden />}
            disabled={!mayApprove}
            loading={isPending}
            onClick={approve}
            title={text.keys}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {text.approve}
          </Button>
          {showAgain !== null && (
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={showAgain}>
              {text.showAgain}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            disabled={isPending}
            onClick={open}
            aria-keyshortcuts="r"
          >
            {text.refuse}
          </Button>
          {obstacle !== null && (
            <Text variant="note" flex="1 1 200px">
              {hints[obstacle]}
            </Text>
          )}
        </Group>
      )}
      <RefuseDialog isOpen={isRefusing} onClose={close} onRefuse={onDecide} />
    </>
  );
}

const refusalText = approvalText.refusal;
const reasonCharactersMax: (typeof limits)['approvalReasonCharactersMax'] = 1_000;

interface RefuseDialogProps extends DialogProps {
  count?: number;
  onRefuse(made: MadeDecision): void;
}

/** The dialog that asks why messages are refused. */
export function RefuseDialog({ count = 1, onRefuse, ...dialog }: RefuseDialogProps) {
  return (
    <FormDialog
      {...dialog}
      title={count === 1 ? refusalText.title : refusalText.titleOfMany(count)}
      submit={refusalText.confirm}
      onSubmit={async (field) => {
        const reason = field('reason').trim();
        onRefuse({ decision: 'refuse', ...(reason !== '' && { reason }) });
      }}
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
