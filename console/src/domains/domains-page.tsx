import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { Domain } from 'postrider';
import { Link } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { apiSnippets } from '../parts/api-snippets.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { AddDomain } from './add-domain.tsx';
import { useDomains } from './domain-queries.ts';
import { countRight, DomainStatus } from './domain-status.tsx';

const { columns: headers, empty } = domainsText;

const columns: Column<Domain>[] = [
  {
    id: 'hostname',
    header: headers.hostname,
    cell: ({ id, hostname }) => (
      <Link to={`/domains/${id}`} className="console-link">
        {hostname}
      </Link>
    ),
  },
  {
    id: 'status',
    header: headers.status,
    isShort: true,
    cell: ({ status }) => <DomainStatus status={status} />,
  },
  {
    id: 'records',
    header: headers.records,
    isShort: true,
    cell: (domain) => domainsText.recordsFound(countRight(domain), domain.records.length),
  },
  {
    id: 'dmarc',
    header: headers.dmarc,
    wideOnly: true,
    cell: ({ dmarc_policy }) => <Code>{dmarc_policy}</Code>,
  },
  {
    id: 'added',
    header: headers.added,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

/** The domains of the workspace. */
export function DomainsPage() {
  const list = useDomains();
  const isOwner = useIsOwner();
  const { api_url, mail_domain } = useSession().server;
  const [isAdding, { open, close }] = useDisclosure(false);
  const create = (
    <OwnersOnly>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {domainsText.create}
      </Button>
    </OwnersOnly>
  );
  const snippets = apiSnippets(api_url, {
    path: '/domains',
    body: { hostname: 'mail.example.com' },
    sdk: "const { records } = await client.domains.create({ hostname: 'mail.example.com' });",
  });
  return (
    <>
      <PageHeader title={domainsText.title} about={domainsText.about} actions={create} />
      <DataTable
        label={domainsText.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title={empty.title}
            message={isOwner ? empty.message(mail_domain) : empty.memberMessage(mail_domain)}
            {...(isOwner ? { action: create } : {})}
            snippets={snippets}
          />
        }
      />
      <AddDomain isOpen={isAdding} onClose={close} />
    </>
  );
}
