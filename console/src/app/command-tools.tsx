import { Button, Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, startTransition, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { appText } from '#strings/app.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { commandDialog, useShortcuts } from '../lib/shortcuts.ts';
import { useListedPages } from './navigation.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const ShortcutsHelp = lazyPart(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp);

/** The keys that work on every page, and the dialogs that they open. The dialogs are loaded when they are first opened. */
export function CommandTools() {
  const navigate = useNavigate();
  const pages = useListedPages();
  const goTo = pages.flatMap(({ path, entry: { shortcut } }) =>
    shortcut === undefined ? [] : [[shortcut, () => void navigate(`/${path}`)] as const],
  );
  useShortcuts({
    ...Object.fromEntries(goTo),
    'mod+k': () => commandDialog.set('palette'),
    '?': () => commandDialog.set('help'),
    c: () => void navigate('/compose'),
    '/': () => focusSearch() || void navigate('/search'),
  });
  const wasOpened = useOpened();
  return (
    <Suspense>
      {wasOpened.palette && <Palette />}
      {wasOpened.help && <ShortcutsHelp />}
    </Suspense>
  );
}

/** A button for the palette, which also tells its key. */
export function PaletteButton() {
  return (
    <Button
      variant="default"
      size="xs"
      className="console-palette"
      leftSection={<IconSearch size={14} aria-hidden />}
      onClick={() => commandDialog.set('palette')}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <span>{appText.palette.open}</span>
      <Kbd size="xs" aria-hidden visibleFrom="sm">
        {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}
      </Kbd>
    </Button>
  );
}

function useOpened(): { palette: boolean; help: boolean } {
  const dialog = commandDialog.useValue();
  const [opened, setOpened] = useState({ palette: false, help: false });
  useEffect(() => {
    // As with `useLazyDialog`: without a fallback they appear as soon as their code is there.
    if (dialog !== null) startTransition(() => setOpened((before) => ({ ...before, [dialog]: true })));
  }, [dialog]);
  return opened;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('[data-search]');
  field?.focus();
  return field !== null;
}
