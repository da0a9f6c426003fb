import { IconMenu2 } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { appText } from '#strings/app.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useLiveConnection } from '../lib/use-live.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { useHeldActions } from '../parts/held-actions.ts';
import { CommandTools, PaletteButton } from './command-tools.tsx';
import icon from './icon.svg';
import { LiveDot } from './live-dot.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { HeldCount, SideNavigation } from './side-navigation.tsx';
import { useDrawer } from './use-drawer.ts';

const HeldCorner = lazyPart(async () => (await import('../parts/held-corner.tsx')).HeldCorner);
// Menus come after the page: what places them is a tenth of the first load.
const PauseButton = lazyPart(async () => (await import('../control/pause-button.tsx')).PauseButton);
const PausedBar = lazyPart(async () => (await import('../control/paused-bar.tsx')).PausedBar);
const UserMenu = lazyPart(async () => (await import('./user-menu.tsx')).UserMenu);
const WorkspaceSwitcher = lazyPart(async () => (await import('./workspace-switcher.tsx')).WorkspaceSwitcher);

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
          <button
            type="button"
            ref={burger}
            className="console-burger"
            aria-label={isOpen ? appText.closeNavigation : appText.openNavigation}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={toggle}
          >
            <IconMenu2 size={20} aria-hidden />
          </button>
          <Suspense>
            <HeldCount />
          </Suspense>
        </div>
        <Link to="/" className="console-home" aria-label={appText.home}>
          <img src={icon} alt="" width={22} height={22} />
        </Link>
        <Suspense fallback={<span className="console-workspace">{title}</span>}>
          <WorkspaceSwitcher />
        </Suspense>
        <div className="console-header-end">
          <Suspense>
            <PauseButton />
          </Suspense>
          <LiveDot />
          <PaletteButton />
          <Suspense fallback={<span className="console-avatar" />}>
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
