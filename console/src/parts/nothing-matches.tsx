import { Button, Group, Stack, Text } from '@mantine/core';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';

interface NothingMatchesProps {
  list?: Pick<PagedList<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;
  /** Clears the filters; left out while none are set. */
  onClear: (() => void) | undefined;
}

/** A filtered list in which nothing passes the filters. If the search gave up, it can go on. */
export function NothingMatches({ list, onClear }: NothingMatchesProps) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <Text c="dimmed">{list?.hasMore ? partsText.nothingYet : partsText.nothingMatches}</Text>
      <Group gap="xs">
        {list?.hasMore && (
          <Button size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
            {partsText.searchOn}
          </Button>
        )}
        {onClear && (
          <Button variant="default" size="xs" onClick={onClear}>
            {partsText.clearFilters}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
