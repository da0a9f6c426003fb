import { Button, Stack, Text } from '@mantine/core';
import { partsText } from '#strings/parts.ts';

/** What a filtered list shows when nothing passes its filters. */
export function NothingMatches({ onClear }: { onClear(): void }) {
  return (
    <Stack align="center" gap="xs" py="xl">
      <Text c="dimmed">{partsText.nothingMatches}</Text>
      <Button variant="default" size="xs" onClick={onClear}>
        {partsText.clearFilters}
      </Button>
    </Stack>
  );
}
