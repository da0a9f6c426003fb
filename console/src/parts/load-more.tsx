import { Button, Center } from '@mantine/core';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';

/** The button at the end of a list that has more. */
export function LoadMore({
  list,
}: {
  list: Pick<PagedList<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;
}) {
  if (!list.hasMore) return null;
  return (
    <Center py="md">
      <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
        {partsText.loadMore}
      </Button>
    </Center>
  );
}
