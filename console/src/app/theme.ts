import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { partsText } from '#strings/parts.ts';

/** The colour of the brand. */
const pine: MantineColorsTuple = [
  '#eefaf7',
  '#d6f2ea',
  '#aee4d6',
  '#7dd1bf',
  '#4cb9a4',
  '#2c9d89',
  '#1b8275',
  '#166a60',
  '#14554e',
  '#114641',
];

/** Neutral colours with a little of the brand's, for light pages. */
const gray: MantineColorsTuple = [
  '#f8f9f8',
  '#f1f4f2',
  '#e5e9e7',
  '#d8dedb',
  '#c5cdc9',
  '#9fa9a4',
  '#727d78',
  '#535e59',
  '#36403c',
  '#1b2421',
];

/** The same for dark pages, the colour of text first. */
const dark: MantineColorsTuple = [
  '#e4eae7',
  '#c4cdc9',
  '#a0aba6',
  '#7b8782',
  '#38423e',
  '#2a3230',
  '#1d2422',
  '#141917',
  '#0f1312',
  '#0a0d0c',
];

const sans =
  '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
const mono =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

/** The look of the console: one accent colour, small type, tight controls. */
export const theme = createTheme({
  colors: { pine, gray, dark },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  black: '#17201d',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  shadows: {
    xs: '0 1px 2px rgb(16 30 26 / 6%)',
    sm: '0 1px 3px rgb(16 30 26 / 9%)',
    md: '0 6px 20px rgb(16 30 26 / 14%)',
    lg: '0 12px 36px rgb(16 30 26 / 18%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The colours of titles have too little contrast on the light ground, yellow most of all.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { size: 'sm', radius: 'sm', tt: 'none', fw: 500 } },
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 550 } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': partsText.close },
      },
    },
    Paper: { defaultProps: { radius: 'lg' } },
    // Its colours fade even if people have turned off motion.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    // Fields that a browser can fill in say with what.
    TextInput: { defaultProps: { size: 'sm', withAsterisk: false, autoComplete: 'off' } },
    PasswordInput: { defaultProps: { size: 'sm', withAsterisk: false } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
  },
});

/** Mantine's grey of secondary text and placeholders is too pale for WCAG AA (4.5 to 1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56615c',
    '--mantine-color-placeholder': '#67726d',
    '--mantine-color-error': '#c22525',
    '--mantine-color-anchor': '#177a6d',
    '--mantine-color-default-border': '#d3dad6',
    '--console-surface': '#f6f8f6',
    '--console-line': '#e4e9e6',
    '--console-hover': '#eff3f1',
    '--console-selected': '#def1eb',
    '--console-accent': '#166a60',
    '--console-waiting': '#8a5300',
    '--console-count': '#b83a0a',
  },
  dark: {
    '--mantine-color-dimmed': '#a0aba6',
    '--mantine-color-placeholder': '#8a9691',
    '--mantine-color-error': '#ff8787',
    '--console-surface': '#0f1312',
    '--console-line': '#262e2b',
    '--console-hover': '#1d2422',
    '--console-selected': '#16332e',
    '--console-accent': '#5cc5b1',
    '--console-waiting': '#ffc078',
    '--console-count': '#b83a0a',
    // Mantine's grounds of badges and notes are louder than what they stand next to, or darker than the page.
    '--mantine-color-gray-light': '#2a3230',
    '--mantine-color-pine-light': '#15413a',
    '--mantine-color-yellow-light': '#46350f',
    '--mantine-color-orange-light': '#4d2e14',
    '--mantine-color-red-light': '#4f2225',
  },
});

const manager = localStorageColorSchemeManager({ key: 'console-color-scheme' });

/** Where the choice between light, dark and the system's scheme is kept. The default is the system's. */
export const colorSchemes = {
  manager,
  apply(): void {
    const chosen = manager.get('auto');
    const dark =
      chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  },
};
