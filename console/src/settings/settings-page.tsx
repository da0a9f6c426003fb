import {
  Anchor,
  Group,
  Input,
  type MantineColorScheme,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import type { Account } from 'postrider';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { settingsText } from '#strings/settings.ts';
import { keyPlaceholder } from '../keys/key-snippets.ts';
import { byteSize, formatCount } from '../lib/numbers.ts';
import { useSession } from '../lib/session.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { setTimeChoices, useNow, useTimeChoices } from '../lib/times.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { type McpHost, mcpSnippet, serverUrl } from './mcp-snippets.ts';
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

const mcpText = settingsText.mcp;
const hosts: McpHost[] = ['claude', 'cursor', 'vscode'];

function McpSetUp() {
  const [host, setHost] = useState<McpHost>('claude');
  const { api_url } = useSession().server;
  const isOwner = useIsOwner();
  const { file, code } = mcpSnippet(host, api_url, keyPlaceholder);
  return (
    <Panel title={mcpText.title} about={mcpText.about}>
      <div>
        <SegmentedControl
          aria-label={mcpText.host}
          size="xs"
          value={host}
          onChange={(value) => setHost(value as McpHost)}
          data={hosts.map((value) => ({ value, label: mcpText.hosts[value] }))}
        />
      </div>
      <CodeBlock label={file === null ? mcpText.run : mcpText.file(file)} code={code} />
      <Text c="dimmed">
        {mcpText.key}{' '}
        {isOwner && (
          <Anchor component={Link} to="/keys" underline="always" inherit>
            {mcpText.keys}
          </Anchor>
        )}
      </Text>
    </Panel>
  );
}

const appearanceText = settingsText.appearance;
const exampleAgoMs = 3 * 60 * 60_000;

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { style, clock } = useTimeChoices();
  const example = new Date(useNow() - exampleAgoMs).toISOString();
  return (
    <Panel title={appearanceText.title} about={appearanceText.about}>
      <Choice<MantineColorScheme>
        label={appearanceText.scheme}
        names={appearanceText.schemes}
        value={colorScheme}
        onChange={setColorScheme}
      />
      <Choice
        label={appearanceText.style}
        names={appearanceText.styles}
        value={style}
        onChange={(next) => setTimeChoices({ style: next })}
      />
      <Choice
        label={appearanceText.clock}
        names={appearanceText.clocks}
        value={clock}
        onChange={(next) => setTimeChoices({ clock: next })}
      />
      <div>
        {appearanceText.example}: <Time value={example} /> · <Time value={example} absolute />
      </div>
    </Panel>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange(value: Value): void;
}

function Choice<Value extends string>({ label, names, value, onChange }: ChoiceProps<Value>) {
  const id = useId();
  const data = (Object.entries(names) as [Value, string][]).map(([option, name]) => ({
    value: option,
    label: name,
  }));
  return (
    <Group gap="sm">
      <Input.Label id={id} labelElement="div" w={80}>
        {label}
      </Input.Label>
      <SegmentedControl
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(next) => onChange(next as Value)}
        data={data}
      />
    </Group>
  );
}
