import { Anchor, Skeleton, Stack } from '@mantine/core';
import type { Account } from 'postrider';
import { Link } from 'react-router';
import { settingsText } from '#strings/settings.ts';
import { byteSize } from '../lib/byte-size.ts';
import { formatCount } from '../lib/numbers.ts';
import { useSession } from '../lib/session.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Appearance } from './appearance.tsx';
import { McpSetUp } from './mcp-set-up.tsx';
import { serverUrl } from './mcp-snippets.ts';
import { WorkspaceFacts } from './workspace-facts.tsx';

/** The settings of the workspace, how programs reach it, and how this browser shows it. */
export function SettingsPage() {
  return (
    <>
      <PageHeader title={settingsText.title} about={settingsText.about} />
      <Stack gap="lg" maw={760}>
        <WorkspaceFacts />
        <Connections />
        <McpSetUp />
        <PlanLimits />
        <Appearance />
      </Stack>
    </>
  );
}

const connectionsText = settingsText.connections;

/** The addresses of the server, to copy. */
function Connections() {
  const { api_url, mail_domain, smtp, transport, version } = useSession().server;
  const smtpAddress = smtp.port === null ? null : `${smtp.host}:${smtp.port}`;
  const openapi = `${serverUrl(api_url)}/openapi.json`;
  const transportName = Object.hasOwn(connectionsText.transports, transport)
    ? connectionsText.transports[transport]
    : transport;
  return (
    <Panel title={connectionsText.title} about={connectionsText.about}>
      <FactList
        facts={[
          { name: connectionsText.api, value: api_url, copy: api_url },
          {
            name: connectionsText.openapi,
            value: (
              <Anchor href={openapi} target="_blank" rel="noreferrer" inherit>
                {openapi}
              </Anchor>
            ),
            copy: openapi,
          },
          smtpAddress === null
            ? { name: connectionsText.smtp, value: connectionsText.smtpOff }
            : { name: connectionsText.smtp, value: smtpAddress, copy: smtpAddress },
          { name: connectionsText.domain, value: mail_domain, copy: mail_domain },
          { name: connectionsText.transport, value: transportName },
          { name: connectionsText.version, value: version },
        ]}
      />
    </Panel>
  );
}

const planText = settingsText.plan;
const rows = 8;

/** The plan of the workspace, and its limits. */
function PlanLimits() {
  const { plan } = useWorkspace();
  const { data, error, refetch } = useAccount();
  return (
    <Panel title={planText.title(capitalised(plan))} about={planText.about}>
      {error && !data && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={rows * 32} />}
      {data && <FactList facts={listFacts(data.limits)} />}
      <Anchor component={Link} to="/usage" size="sm">
        {planText.usage}
      </Anchor>
    </Panel>
  );
}

function listFacts(limits: Account['limits']): Fact[] {
  const included = (isIncluded: boolean) => (isIncluded ? planText.yes : planText.no);
  const rate = planText.rateValue(
    formatCount(limits.requests_per_second),
    formatCount(limits.requests_burst),
  );
  return [
    { name: planText.inboxes, value: formatCount(limits.inboxes) },
    { name: planText.emails, value: formatCount(limits.emails_per_month) },
    { name: planText.storage, value: byteSize(limits.storage_bytes) },
    { name: planText.mail, value: byteSize(limits.mail_bytes) },
    { name: planText.rate, value: rate },
    { name: planText.domains, value: included(limits.custom_domains) },
    { name: planText.search, value: included(limits.semantic_search) },
    { name: planText.subdomain, value: included(limits.dedicated_subdomain) },
  ];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
