import './data-table.css';
import { ActionIcon, Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';
import { useRowKeys } from '../lib/use-row-keys.ts';
import { ApiProblem } from './api-problem.tsx';
import { LoadMore } from './load-more.tsx';

/** A column of a table. */
export interface Column<Item> {
  id: string;
  header: string;
  cell(item: Item): ReactNode;
  /** Left out on a phone. */
  wideOnly?: boolean;
  /** A few words that stay on one line. */
  isShort?: boolean;
  /** A column of buttons, whose header only screen readers need. */
  isActions?: boolean;
}

interface DataTableProps<Item> {
  /** The subject of the table, for screen readers. */
  label: string;
  list: PagedList<Item>;
  columns: Column<Item>[];
  rowKey(item: Item): string;
  /** Shown instead of the table when the list is empty. */
  empty: ReactNode;
  details?: Details<Item>;
  /** Clears the filters; left out while none are set. */
  onClear?: (() => void) | undefined;
}

/** The content below an opened row. */
interface Details<Item> {
  /** The key of the row that is open, if one is. */
  openKey: string;
  onToggle(key: string): void;
  /** The name of the content that the button of a row opens, for screen readers. */
  label(item: Item): string;
  render(item: Item): ReactNode;
}

const skeletonRows = ['1', '2', '3', '4', '5', '6'];

/** A list as a table, with its loading, its failure, its emptiness and its further pages. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { label, list, columns, rowKey, empty, details, onClear } = props;
  useRowKeys();
  const isEmpty = !list.isLoading && list.items.length === 0;
  const problem = list.error ? (
    <ApiProblem error={list.error} onRetry={list.retry} onClear={onClear} />
  ) : null;
  if (isEmpty && problem) return problem;
  if (isEmpty) return <Paper withBorder>{empty}</Paper>;
  return (
    <>
      <Paper withBorder style={{ overflowX: 'auto' }}>
        <table className="console-table" aria-label={label} aria-busy={list.isLoading}>
          <thead>
            <tr>
              {details && (
                <th scope="col" className="console-toggle">
                  <VisuallyHidden>{partsText.details}</VisuallyHidden>
                </th>
              )}
              {columns.map((column) => (
                <th key={column.id} scope="col" className={cellClass(column)}>
                  {column.isActions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.isLoading
              ? skeletonRows.map((row) => (
                  <SkeletonRow key={row} columns={columns} hasDetails={details !== undefined} />
                ))
              : list.items.map((item) => (
                  <Row key={rowKey(item)} id={rowKey(item)} item={item} columns={columns} details={details} />
                ))}
          </tbody>
        </table>
        {list.isLoading && <VisuallyHidden role="status">{partsText.loading}</VisuallyHidden>}
      </Paper>
      {problem ?? <LoadMore list={list} />}
    </>
  );
}

interface RowProps<Item> {
  id: string;
  item: Item;
  columns: Column<Item>[];
  details: Details<Item> | undefined;
}

function Row<Item>({ id, item, columns, details }: RowProps<Item>) {
  const isOpen = details?.openKey === id;
  return (
    <>
      <tr data-row data-open={isOpen || undefined}>
        {details && (
          <td className="console-toggle">
            <ActionIcon
              size="sm"
              aria-label={details.label(item)}
              aria-expanded={isOpen}
              onClick={() => details.onToggle(id)}
            >
              <IconChevronRight
                size={15}
                aria-hidden
                style={{ transform: isOpen ? 'rotate(90deg)' : undefined }}
              />
            </ActionIcon>
          </td>
        )}
        {columns.map((column) => (
          <td key={column.id} className={cellClass(column)} align={column.isActions ? 'right' : 'left'}>
            {column.cell(item)}
          </td>
        ))}
      </tr>
      {details && isOpen && (
        <tr className="console-detail">
          <td colSpan={columns.length + 1}>
            <div className="console-detail-content">{details.render(item)}</div>
          </td>
        </tr>
      )}
    </>
  );
}

function SkeletonRow<Item>({ columns, hasDetails }: { columns: Column<Item>[]; hasDetails: boolean }) {
  return (
    <tr>
      {hasDetails && <td className="console-toggle" />}
      {columns.map((column) => (
        <td key={column.id} className={cellClass(column)}>
          <Skeleton height={14} my={4} width={column.isActions ? 24 : '70%'} />
        </td>
      ))}
    </tr>
  );
}

function cellClass<Item>({ wideOnly, isShort }: Column<Item>): string | undefined {
  const names = [wideOnly && 'console-wide-only', isShort && 'console-short'].filter(Boolean);
  return names.join(' ') || undefined;
}
