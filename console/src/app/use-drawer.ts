import { type RefObject, useEffect, useRef, useState } from 'react';

interface Drawer {
  isOpen: boolean;
  toggle(): void;
  /** Closes the drawer and returns to its button. */
  close(): void;
  /** Closes the drawer when the person has chosen a page, and goes on to the page. */
  onNavigate(): void;
  burger: RefObject<HTMLButtonElement | null>;
  drawer: RefObject<HTMLElement | null>;
}

/** The navigation of a phone: opening it moves the focus to its first link, and Escape closes it from anywhere. */
export function useDrawer(): Drawer {
  const [isOpen, setOpen] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  function close() {
    setOpen(false);
    burger.current?.focus();
  }
  useEffect(() => {
    if (!isOpen) return;
    drawer.current?.querySelector<HTMLElement>('a')?.focus();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      burger.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);
  function onNavigate() {
    if (!isOpen) return;
    setOpen(false);
    document.getElementById('content')?.focus();
  }
  return { isOpen, toggle: isOpen ? close : () => setOpen(true), close, onNavigate, burger, drawer };
}
