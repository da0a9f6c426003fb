import { Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';
import { ApiProblem } from './api-problem.tsx';
import { LoadMore } from './load-more.tsx';

/** A column of a table. */
export interface Column<Item> {
  id: string;
  header: string;
  cell(item: Item): ReactNode;
  /** Left out on a phone. */
  wideOnly?: boolean;
  /** A column of buttons, whose header only screen readers need. */
  isActions?: boolean;
}

interface DataTableProps<Item> {
  /** What the table lists, for screen readers. */
  label: string;
  list: PagedList<Item>;
  columns: Column<Item>[];
  keyOf(item: Item): string;
  /** Shown instead of the table when the list is empty. */
  empty: ReactNode;
}

const skeletonRows = ['1', '2', '3', '4', '5', '6'];

/** A list as a table, with its loading, its failure, its emptiness and its further pages. */
export function DataTable<Item>({ label, list, columns, keyOf, empty }: DataTableProps<Item>) {
  const isEmpty = !list.isLoading && list.items.length === 0;
  if (isEmpty && list.error) return <ApiProblem error={list.error} onRetry={list.retry} />;
  if (isEmpty) return <Paper withBorder>{empty}</Paper>;
  return (
    <>
      <Paper withBorder style={{ overflowX: 'auto' }}>
        <table className="console-table" aria-label={label} aria-busy={list.isLoading}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} scope="col" className={classOf(column)}>
                  {column.isActions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.isLoading
              ? skeletonRows.map((row) => <SkeletonRow key={row} columns={columns} />)
              : list.items.map((item) => (
                  <tr key={keyOf(item)}>
                    {columns.map((column) => (
                      <td
                        key={column.id}
                        className={classOf(column)}
                        align={column.isActions ? 'right' : 'left'}
                      >
                        {column.cell(item)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
        {list.isLoading && <VisuallyHidden role="status">{partsText.loading}</VisuallyHidden>}
      </Paper>
      {list.error ? <ApiProblem error={list.error} onRetry={list.retry} /> : <LoadMore list={list} />}
    </>
  );
}

function SkeletonRow<Item>({ columns }: { columns: Column<Item>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          <Skeleton height={14} my={4} width={column.isActions ? 24 : '70%'} />
        </td>
      ))}
    </tr>
  );
}

function classOf<Item>({ wideOnly }: Column<Item>): string | undefined {
  return wideOnly ? 'console-wide-only' : undefined;
}
