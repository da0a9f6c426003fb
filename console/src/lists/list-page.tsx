import { Button } from '@mantine/core';
import { type Icon, IconPlus } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { useLazyDialog } from '../lib/lazy-part.ts';
import type { PagedList } from '../lib/paging.ts';
import { useSession } from '../lib/session.ts';
import type { UrlState } from '../lib/use-url-state.ts';
import { useIsOwner } from '../lib/workspace.ts';
import type { Snippet } from '../parts/code-block.tsx';
import { type Column, DataTable, type Details } from '../parts/data-table.tsx';
import { EmptyState, type PictureName } from '../parts/empty-state.tsx';
import type { DialogProps } from '../parts/form-dialog.tsx';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Section } from '../parts/panel.tsx';
import { type Filter, FilterBar, type Filters } from './filter-bar.tsx';

/** How an item of a list is created: in a dialog, whose code may be loaded when it is first opened, or on another page. */
interface Creation {
  label: string;
  Dialog?: ComponentType<DialogProps>;
  to?: string;
  icon?: Icon;
  /** Whether members are told that owners create such items. */
  isForOwners?: boolean;
}

interface ListProps<Item> {
  list: PagedList<Item>;
  columns: Column<Item>[];
  rowKey(item: Item): string;
  details?: Details<Item>;
  isTall?: boolean;
  noMatch?: ReactNode;
}

interface ListPageProps<Item, State extends UrlState> extends ListProps<Item> {
  text: {
    title: string;
    about: string;
    /** The words of the empty list: its purpose, and how an item gets there. */
    empty: { title: string; message: string };
  };
  picture: PictureName;
  create?: Creation;
  actions?: ReactNode;
  filters?: Filters<State>;
  fields?: Filter<State>[];
  /** The example of how programs create an item, for the empty list. */
  snippets?(apiUrl: string): Snippet[];
  /** Shown above the filters. */
  above?: ReactNode;
  children?: ReactNode;
}

/** A page with one list: its header, its filters, the table (cards on a phone), and the states for loading, failure and an empty list. */
export function ListPage<Item, State extends UrlState>(props: ListPageProps<Item, State>) {
  const { text, picture, actions, filters, fields, snippets, above, children, ...table } = props;
  const { api_url } = useSession().server;
  const create = useCreation(props.create);
  const { list } = table;
  const clear = filters?.clear;
  const isQuiet = !list.isLoading && !list.error && list.items.length === 0 && !clear;
  return (
    <>
      <PageHeader
        title={text.title}
        about={text.about}
        actions={
          (create.button || actions) && (
            <>
              {actions}
              {create.button}
            </>
          )
        }
      />
      {above}
      {filters && fields && !isQuiet && <FilterBar label={text.title} filters={filters} fields={fields} />}
      <DataTable
        {...table}
        label={text.title}
        onClear={clear}
        empty={
          <EmptyState
            {...text.empty}
            picture={picture}
            {...(create.isAllowed && { action: create.button })}
            {...(snippets && { snippets: snippets(api_url) })}
          />
        }
      />
      {create.dialog}
      {children}
    </>
  );
}

function useCreation(creation: Creation | undefined) {
  const { isOpen, wasOpened, open, close } = useLazyDialog();
  const isOwner = useIsOwner();
  if (!creation) return { isAllowed: false, button: null, dialog: null };
  const { label, Dialog, to, icon: Picture = IconPlus, isForOwners = false } = creation;
  const leftSection = <Picture size={16} aria-hidden />;
  const button =
    to === undefined ? (
      <Button {...{ leftSection }} onClick={open}>
        {label}
      </Button>
    ) : (
      <Button {...{ leftSection }} component={Link} to={to}>
        {label}
      </Button>
    );
  return {
    isAllowed: isOwner || !isForOwners,
    button: isForOwners ? <OwnersOnly>{button}</OwnersOnly> : button,
    dialog: <Suspense>{Dialog && wasOpened && <Dialog isOpen={isOpen} onClose={close} />}</Suspense>,
  };
}

interface ListSectionProps<Item> extends ListProps<Item> {
  title: string;
  about?: ReactNode;
  empty: ReactNode;
  onClear?: (() => void) | undefined;
}

/** One of several lists of a page, with its heading. */
export function ListSection<Item>({ title, about, ...table }: ListSectionProps<Item>) {
  return (
    <Section title={title} about={about} mt="lg">
      <DataTable label={title} {...table} />
    </Section>
  );
}
