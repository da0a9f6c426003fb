import { Code } from '@mantine/core';
import type { Domain } from 'postrider';
import { lazy } from 'react';
import { Link } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ListPage } from '../lists/list-page.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import { countRight, DomainStatus, lookAgainMs } from './domain-status.tsx';

const AddDomain = lazy(async () => ({ default: (await import('./add-domain.tsx')).AddDomain }));
const { columns: headers } = domainsText;

const columns: Column<Domain>[] = [
  {
    header: headers.hostname,
    cell: ({ id, hostname }) => (
      <Link to={`/domains/${id}`} className="console-link">
        {hostname}
      </Link>
    ),
  },
  {
    header: headers.status,
    width: '150px',
    inCorner: true,
    cell: ({ status }) => <DomainStatus status={status} />,
  },
  {
    header: headers.records,
    width: '110px',
    cell: (domain) => domainsText.recordsFound(countRight(domain), domain.records.length),
  },
  { header: headers.dmarc, width: '130px', cell: ({ dmarc_policy }) => <Code>{dmarc_policy}</Code> },
  { header: headers.added, width: '130px', cell: ({ created_at }) => <Time value={created_at} /> },
];

/** The domains of the workspace. */
export function DomainsPage() {
  const { mail_domain } = useSession().server;
  const list = useList(
    ['domains', 'list'],
    ({ api, signal }, cursor) => itemsIn('domains', api.domains.list({ cursor }, { signal })),
    { refetchMs: lookAgainMs },
  );
  const { title, message, memberMessage } = domainsText.empty;
  const empty = { title, message: (useIsOwner() ? message : memberMessage)(mail_domain) };
  return (
    <ListPage
      text={{ ...domainsText, empty }}
      picture="plug"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      create={{ label: domainsText.create, Dialog: AddDomain, isForOwners: true }}
      snippets={domainSnippets}
    />
  );
}

function domainSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/domains',
    body: { hostname: 'mail.example.com' },
    sdk: "const { records } = await client.domains.create({ hostname: 'mail.example.com' });",
  });
}
