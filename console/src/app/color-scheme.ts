import { localStorageColorSchemeManager } from '@mantine/core';

const manager = localStorageColorSchemeManager({ key: 'console-color-scheme' });

/** Where the choice between light, dark and the system's scheme is kept. The default is the system's. */
export const colorSchemes = {
  manager,
  /** Sets the chosen scheme on the document. */
  apply(): void {
    const chosen = manager.get('auto');
    const dark =
      chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  },
};
