import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** A group of pages in the navigation. */
export type Section = 'mail' | 'developers' | 'workspace';

/** A page of the console. */
export interface Page {
  /** The path below `/console`, with parameters such as `:id`. A page with an entry may have optional ones, such as `:id?`. */
  path: string;
  /** Loads the page, when it is first opened. */
  load(): Promise<ComponentType>;
  /** The entry in the navigation and the palette; left out for pages about one thing. */
  entry?: {
    name: string;
    section: Section;
    icon: Icon;
    /** Keys such as `g k`. */
    shortcut?: string;
  };
  /** Whether only owners of the workspace see it. */
  ownerOnly?: boolean;
}
