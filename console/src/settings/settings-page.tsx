import { Stack } from '@mantine/core';
import { settingsText } from '#strings/settings.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { Appearance } from './appearance.tsx';
import { Connections } from './connections.tsx';
import { McpSetUp } from './mcp-set-up.tsx';
import { PlanLimits } from './plan-limits.tsx';
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
