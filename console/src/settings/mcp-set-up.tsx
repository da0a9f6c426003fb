import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { settingsText } from '#strings/settings.ts';
import { keyPlaceholder } from '../keys/key-snippets.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Panel } from '../parts/panel.tsx';
import { type McpHost, mcpSnippet } from './mcp-snippets.ts';

const text = settingsText.mcp;
const hosts: McpHost[] = ['claude', 'cursor', 'vscode'];

/** How hosts of language models get the tools of this server. */
export function McpSetUp() {
  const [host, setHost] = useState<McpHost>('claude');
  const { api_url } = useSession().server;
  const isOwner = useIsOwner();
  const { file, code } = mcpSnippet(host, api_url, keyPlaceholder);
  return (
    <Panel title={text.title} about={text.about}>
      <div>
        <SegmentedControl
          aria-label={text.host}
          size="xs"
          value={host}
          onChange={(value) => setHost(value as McpHost)}
          data={hosts.map((value) => ({ value, label: text.hosts[value] }))}
        />
      </div>
      <CodeBlock label={file === null ? text.run : text.file(file)} code={code} />
      <Text c="dimmed">
        {text.key}{' '}
        {isOwner && (
          <Anchor component={Link} to="/keys" underline="always" inherit>
            {text.keys}
          </Anchor>
        )}
      </Text>
    </Panel>
  );
}
