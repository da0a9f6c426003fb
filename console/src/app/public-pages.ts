import type { Page } from './page.ts';

/** The pages that people open without a session. They have no shell. */
export const publicPages: Pick<Page, 'path' | 'load'>[] = [
  {
    path: 'sign-in',
    load: () => import('../people/sign-in-page.tsx').then(({ SignInPage }) => SignInPage),
  },
];
