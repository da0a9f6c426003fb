import { Button, Center, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';
import { ApiProblem } from './api-problem.tsx';

interface ListFrameProps {
  list: PagedList<unknown>;
  empty: ReactNode;
  /** Shown in place of a note when nothing passes the filters. */
  noMatch?: ReactNode;
  /** Clears the filters; left out while none are set. */
  onClear?: (() => void) | undefined;
  /** Whether the rows show their own loading. */
  showsLoading?: boolean;
  children: ReactNode;
}

/** The surroundings of the rows of a list: its loading, its failure, its emptiness and its further pages. */
export function ListFrame(props: ListFrameProps) {
  const { list, empty, onClear, showsLoading = false, children } = props;
  const problem = list.error ? (
    <ApiProblem error={list.error} onRetry={list.retry} onClear={onClear} />
  ) : null;
  if (!list.isLoading && list.items.length === 0) {
    const { noMatch = <NothingMatches list={list} onClear={onClear} /> } = props;
    return problem ?? <Paper withBorder>{onClear || list.hasMore ? noMatch : empty}</Paper>;
  }
  return (
    <>
      {list.isLoading && !showsLoading ? (
        <Paper withBorder>
          <RowSkeletons />
        </Paper>
      ) : (
        children
      )}
      {problem ?? <LoadMore list={list} />}
    </>
  );
}

const skeletons = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** Rows that are being loaded. */
export function RowSkeletons() {
  return (
    <div className="console-rows" role="status" aria-label={partsText.loading} aria-busy>
      {skeletons.map((key) => (
        <Stack key={key} h={56} gap={9} justify="center" px={14}>
          <Skeleton height={11} width="45%" />
          <Skeleton height={10} width="85%" />
        </Stack>
      ))}
    </div>
  );
}

/** A page that is being loaded. */
export function PageSkeleton() {
  return (
    <Stack gap="sm">
      <Skeleton height={28} width={240} mb="sm" />
      <Skeleton height={420} />
    </Stack>
  );
}

type Further = Pick<PagedList<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;

/** The button at the end of a list that has more. */
export function LoadMore({ list }: { list: Further }) {
  if (!list.hasMore) return null;
  return (
    <Center py="md">
      <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
        {partsText.loadMore}
      </Button>
    </Center>
  );
}

interface NothingMatchesProps {
  list?: Further;
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
