import { ActionIcon, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { firstStepsText } from '#strings/first-steps.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { isHidden, keepHidden } from './hidden-steps.ts';
import { Step } from './step.tsx';
import { useProgress } from './step-queries.ts';

/**
 * The way from an empty workspace to an agent with mail, with ticks that appear by themselves. Nothing is shown once all is done, if the
 * person has hidden it, and while it is not known.
 */
export function FirstSteps() {
  const { workspace_id } = useWorkspace();
  const [isClosed, setClosed] = useState(() => isHidden(workspace_id));
  const progress = useProgress(!isClosed);
  if (isClosed || progress === undefined) return null;
  const { steps, inbox } = progress;
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const hide = () => {
    keepHidden(workspace_id);
    setClosed(true);
  };
  return (
    <Paper component="section" withBorder p="lg" mt="lg" aria-label={firstStepsText.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div>
          <Group gap="sm">
            <Title order={2}>{firstStepsText.title}</Title>
            <Text size="sm" c="dimmed" role="status">
              {firstStepsText.progress(doneCount, steps.length)}
            </Text>
          </Group>
          <Text c="dimmed">{firstStepsText.about}</Text>
        </div>
        <ActionIcon aria-label={firstStepsText.hide} title={firstStepsText.hide} onClick={hide}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Stack component="ol" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, isDone }) => (
          <Step key={name} name={name} isDone={isDone} isNext={name === next.name} inbox={inbox} />
        ))}
      </Stack>
    </Paper>
  );
}
