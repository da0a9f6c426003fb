import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { composeText } from '#strings/compose.ts';

const text = composeText.leave;

/** Asks whether to leave text that could not be saved. */
export function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  return (
    <Modal opened onClose={onStay} title={text.title}>
      <Stack gap="md">
        <Text>{text.message}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onLeave}>
            {text.leave}
          </Button>
          <Button onClick={onStay} data-autofocus>
            {text.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
