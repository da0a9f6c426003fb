import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { partsText } from '#strings/parts.ts';

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

const sans =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
const mono =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

/** The look of the console: one accent colour, small type, tight controls. */
export const theme = createTheme({
  colors: { pine },
  primaryColor: 'pine',
  primaryShade: 6,
  autoContrast: true,
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.35' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The colours of titles have too little contrast on the light ground, yellow most of all.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500 } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': partsText.close },
      },
    },
    // Its colours fade even where people want no motion.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
  },
});

/** Mantine's grey of secondary text and placeholders is too pale for WCAG AA (4.5 to 1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b636b',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--console-surface': '#f7f8f8',
    '--console-line': '#e4e7e9',
    '--console-hover': '#f1f3f3',
    '--console-selected': '#e4f3ef',
  },
  dark: {
    '--mantine-color-body': '#17191a',
    '--mantine-color-dimmed': '#a2a9ae',
    '--mantine-color-placeholder': '#8b9398',
    '--mantine-color-error': '#ff8787',
    '--console-surface': '#1d2021',
    '--console-line': '#2d3133',
    '--console-hover': '#232728',
    '--console-selected': '#1d3431',
  },
});
