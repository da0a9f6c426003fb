import { ActionIcon, Alert, Box, Text } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { appText } from '#strings/app.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useLiveConnection, useLiveState } from '../lib/use-live.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { BrandMark } from '../parts/card-page.tsx';
import { useHeldActions } from '../parts/held-actions.ts';
import { CommandTools, PaletteButton } from './command-tools.tsx';
import { HeldCount, SideNavigation } from './side-navigation.tsx';

const HeldCorner = lazyPart(async () => (await import('../parts/held-corner.tsx')).HeldCorner);
// Menus come after the page: what places them is a tenth of the first load. Their file is asked for now: every page needs it.
void import('./menus.tsx').catch(() => null);
const PauseButton = lazyPart(async () => (await import('../control/pausing.tsx')).PauseButton);
const PausedBar = lazyPart(async () => (await import('../control/pausing.tsx')).PausedBar);
const UserMenu = lazyPart(async () => (await import('./menus.tsx')).UserMenu);
const WorkspaceSwitcher = lazyPart(async () => (await import('./menus.tsx')).WorkspaceSwitcher);

/** The frame around the pages: the header, the navigation, and on a phone a drawer for it. */
export function Shell() {
  const { isOpen, toggle, close, onNavigate, burger, drawer } = useDrawer();
  const { workspace_id, title } = useWorkspace();
  useLiveConnection(workspace_id);
  return (
    <div className="console-shell">
      <a className="console-skip-link" href="#content">
        {appText.skip}
      </a>
      <header className="console-header">
        <div className="console-burger-box">
          <ActionIcon
            ref={burger}
            size="lg"
            className="console-burger"
            aria-label={isOpen ? appText.closeNavigation : appText.openNavigation}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={toggle}
          >
            <IconMenu2 size={20} aria-hidden />
          </ActionIcon>
          <Suspense>
            <HeldCount />
          </Suspense>
        </div>
        <Link to="/" className="console-home" aria-label={appText.home}>
          <BrandMark />
        </Link>
        <Suspense
          fallback={
            <Text px={8} fw={600} truncate>
              {title}
            </Text>
          }
        >
          <WorkspaceSwitcher />
        </Suspense>
        <div className="console-header-end">
          <PaletteButton />
          <Suspense>
            <PauseButton />
          </Suspense>
          <LiveDot />
          <Suspense fallback={<Box w={34} />}>
            <UserMenu />
          </Suspense>
        </div>
      </header>
      <Suspense>
        <PausedBar />
      </Suspense>
      <nav
        ref={drawer}
        id="navigation"
        className="console-navigation"
        aria-label={appText.navigation}
        data-open={isOpen || undefined}
      >
        <SideNavigation onNavigate={onNavigate} />
      </nav>
      {isOpen && <div className="console-backdrop" aria-hidden onClick={close} />}
      <Content />
      <CommandTools />
      <HeldActions />
      <ScrollRestoration />
    </div>
  );
}

function HeldActions() {
  const isNeeded = useHeldActions().length > 0;
  return <Suspense>{isNeeded && <HeldCorner />}</Suspense>;
}

function Content() {
  const isLoading = useNavigation().state === 'loading';
  return (
    <main id="content" className="console-content" tabIndex={-1} aria-busy={isLoading}>
      <OfflineBar />
      <Suspense>
        <Outlet />
      </Suspense>
    </main>
  );
}

function OfflineBar() {
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <Alert color="yellow" p="xs" mb="sm" className="console-warning">
          {appText.offline}
        </Alert>
      )}
    </div>
  );
}

function watchConnection(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

function LiveDot() {
  const isOpen = useLiveState() === 'open';
  const label = isOpen ? appText.live.open : appText.live.waiting;
  const color = `var(--mantine-color-${isOpen ? 'pine' : 'gray'}-5)`;
  return (
    <Box component="span" role="img" aria-label={label} title={label} w={8} h={8} bdrs="50%" bg={color} />
  );
}

/** The navigation of a phone: opening it moves the focus to its first link, and Escape closes it from anywhere. */
function useDrawer() {
  const [isOpen, setOpen] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  /** Closes the drawer and returns to its button. */
  const close = useCallback(() => {
    setOpen(false);
    burger.current?.focus();
  }, []);
  useEffect(() => {
    if (!isOpen) return;
    drawer.current?.querySelector<HTMLElement>('a')?.focus();
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, close]);
  /** Closes the drawer when the person has chosen a page, and opens the page. */
  function onNavigate() {
    if (!isOpen) return;
    setOpen(false);
    document.getElementById('content')?.focus();
  }
  return { isOpen, toggle: isOpen ? close : () => setOpen(true), close, onNavigate, burger, drawer };
}
