import type { ReactNode } from 'react';

interface Notice {
  message: ReactNode;
  tone?: 'good' | 'bad';
}

/** Shows a short message in the corner for a few seconds. What shows it is loaded with the first message. */
export async function notify({ message, tone = 'good' }: Notice): Promise<void> {
  const { showNotice } = await import('./notices.tsx');
  showNotice(message, tone === 'good' ? 'pine' : 'red');
}
