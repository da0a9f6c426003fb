import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { appText } from '#strings/app.ts';
import { useLiveConnection } from '../lib/use-live.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { CommandTools, PaletteButton } from './command-tools.tsx';
import { LiveDot } from './live-dot.tsx';
import { SideNavigation } from './side-navigation.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const header = { height: 48 };

/** The frame around the pages: the header, the navigation, and on a phone a drawer for it. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isLoading = useNavigation().state === 'loading';
  useLiveConnection(useWorkspace().workspace_id);
  return (
    <AppShell
      header={header}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="console-skip-link" href="#content">
        {appText.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={appText.openNavigation}
              aria-expanded={isOpen}
            />
            <WorkspaceSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LiveDot />
            <PaletteButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={appText.navigation}>
        <SideNavigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} aria-busy={isLoading}>
        <Suspense>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <CommandTools />
    </AppShell>
  );
}
