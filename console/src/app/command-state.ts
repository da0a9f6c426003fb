import { createStore, type Store } from '../lib/store.ts';

/** The dialog that is open over the page. */
export const commandDialog: Store<'palette' | 'help' | null> = createStore<'palette' | 'help' | null>(null);
