/** Gives the row of a thread the focus, and returns whether it is in the page. */
export function focusRow(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`[data-thread-link="${id}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
}

/** Gives the list of threads the focus, for a row that is not in the page. */
export function focusList(): void {
  document.querySelector<HTMLElement>('.thread-scroller')?.focus({ preventScroll: true });
}

/** Returns whether nothing has the focus, because what had it has left the page or is hidden. */
export function hasLostFocus(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return !activeElement.checkVisibility({ visibilityProperty: true });
}
