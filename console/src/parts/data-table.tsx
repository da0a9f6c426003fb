import './data-table.css';
import { ActionIcon, Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { partsText } from '#strings/parts.ts';
import type { PagedList } from '../lib/paging.ts';
import { useRowKeys } from '../lib/shortcuts.ts';
import { ListFrame } from './list-frame.tsx';

/** A column of a table, and a part of the cards that a phone shows in its place. The first column is the title of a card. */
export interface Column<Item> {
  /** Its name, which no other column of the table has. */
  header: string;
  cell(item: Item): ReactNode;
  /** The width on a desk, such as `'140px'`. With a width in any column, those without one share the rest. */
  width?: string;
  /** On a phone, in the corner of the card, without its header: a state, or a time. */
  inCorner?: boolean;
  /** On a phone, without its header, because the cell says it all. */
  isPlain?: boolean;
  wideOnly?: boolean;
  /** A few words that stay on one line. */
  isShort?: boolean;
  /** A column of buttons, whose header only screen readers need. */
  isActions?: boolean;
}

interface DataTableProps<Item> {
  label: string;
  list: PagedList<Item>;
  columns: Column<Item>[];
  rowKey(item: Item): string;
  empty: ReactNode;
  noMatch?: ReactNode;
  details?: Details<Item> | undefined;
  /** Whether the rows are as tall as those of threads. */
  isTall?: boolean | undefined;
  onClear?: (() => void) | undefined;
}

/** The content below an opened row. */
export interface Details<Item> {
  /** The field of the address that has the key of the open row. */
  field: string;
  /** The name of the content that the button of a row opens, for screen readers. */
  label(item: Item): string;
  render(item: Item): ReactNode;
}

const skeletonRows = ['1', '2', '3', '4', '5', '6'];

/** A list as a table, with its loading, its failure, its emptiness and its further pages. On a phone, each row is a card. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { label, list, columns, rowKey, empty, noMatch, details, isTall, onClear } = props;
  useRowKeys();
  const [openKey, toggle] = useOpenRow(details?.field ?? '');
  return (
    <ListFrame {...{ list, empty, noMatch, onClear }} showsLoading>
      <Paper withBorder style={{ overflowX: 'auto' }}>
        <table
          className="console-table"
          aria-label={label}
          aria-busy={list.isLoading}
          data-tall={isTall || undefined}
          data-fixed={columns.some(({ width }) => width !== undefined) || undefined}
        >
          <thead>
            <tr>
              {details && (
                <th scope="col" className="console-toggle">
                  <VisuallyHidden>{partsText.details}</VisuallyHidden>
                </th>
              )}
              {columns.map((column) => (
                <th
                  key={column.header}
                  scope="col"
                  className={cellClass(column)}
                  style={{ width: column.width }}
                >
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
              : list.items.map((item) => {
                  const key = rowKey(item);
                  const isOpen = details !== undefined && key === openKey;
                  return (
                    <Row key={key} {...{ item, columns, details, isOpen }} onToggle={() => toggle(key)} />
                  );
                })}
          </tbody>
        </table>
        {list.isLoading && <VisuallyHidden role="status">{partsText.loading}</VisuallyHidden>}
      </Paper>
    </ListFrame>
  );
}

function useOpenRow(field: string): [string, (key: string) => void] {
  const [params, setParams] = useSearchParams();
  const open = field === '' ? '' : (params.get(field) ?? '');
  function toggle(key: string) {
    const next = new URLSearchParams(params);
    if (key === open) next.delete(field);
    else next.set(field, key);
    setParams(next, { replace: true, preventScrollReset: true });
  }
  return [open, toggle];
}

interface RowProps<Item> {
  item: Item;
  columns: Column<Item>[];
  details: Details<Item> | undefined;
  isOpen: boolean;
  onToggle(): void;
}

function Row<Item>({ item, columns, details, isOpen, onToggle }: RowProps<Item>) {
  return (
    <>
      <tr data-row data-open={isOpen || undefined}>
        {details && (
          <td className="console-toggle">
            <ActionIcon size="sm" aria-label={details.label(item)} aria-expanded={isOpen} onClick={onToggle}>
              <IconChevronRight
                size={15}
                aria-hidden
                style={{ transform: isOpen ? 'rotate(90deg)' : undefined }}
              />
            </ActionIcon>
          </td>
        )}
        {columns.map((column, place) => (
          <td
            key={column.header}
            className={cellClass(column)}
            align={column.isActions ? 'right' : 'left'}
            data-label={hasLabel(column, place) ? column.header : undefined}
          >
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

function hasLabel<Item>({ inCorner, isPlain, isActions }: Column<Item>, place: number): boolean {
  return place > 0 && !inCorner && !isPlain && !isActions;
}

function SkeletonRow<Item>({ columns, hasDetails }: { columns: Column<Item>[]; hasDetails: boolean }) {
  return (
    <tr>
      {hasDetails && <td className="console-toggle" />}
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column)}>
          <Skeleton height={14} my={4} width={column.isActions ? 24 : '70%'} />
        </td>
      ))}
    </tr>
  );
}

function cellClass<Item>({ wideOnly, isShort, inCorner, isActions }: Column<Item>): string | undefined {
  const names = [
    wideOnly && 'console-wide-only',
    isShort && 'console-short',
    inCorner && 'console-corner',
    isActions && 'console-actions',
  ].filter(Boolean);
  return names.join(' ') || undefined;
}
