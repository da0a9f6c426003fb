import './app/mantine-styles.ts';
import './app/base.css';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { colorSchemes } from './app/theme.ts';

// The attribute is there before the first paint, so that a dark page is never white for a moment.
colorSchemes.apply();
const root = document.getElementById('root');
if (root) createRoot(root).render(<Providers />);
