import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { CopyPage } from './copy-page.ts';
import './style.css';

/** The default theme, with a way to the console and to the Markdown of each page. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () =>
        h('a', { class: 'console-link', href: '/console', target: '_self' }, 'Console'),
      'doc-before': () => h(CopyPage),
    }),
} satisfies Theme;
