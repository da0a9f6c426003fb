import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { composeText } from '#strings/compose.ts';

const text = composeText.leave;

/** Asks before the page is left with text that could not be saved. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title={text.title}>
      <Stack gap="md">
        <Text>{text.message}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {text.leave}
          </Button>
          <Button onClick={stay} data-autofocus>
            {text.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
