/** Modules that are one file, together with all that they import and no group before has. */
interface ChunkGroup {
  name: string;
  test: RegExp;
  priority: number;
}

/**
 * The files on the way in: without them, each module that two pages share is a request of its own. First what the entry and the sign-in
 * import, then what the frame and the first page do, then what appears in the frame after the page. Entries and pages stay files of their
 * own, which the manifest names.
 */
export const chunkGroups: ChunkGroup[] = [
  {
    // The forms are a module of their own for this group: what only a page imports goes to the groups below.
    name: 'sign-in',
    test: /src\/(?:app\/providers|people\/(?:sign-in-forms|next-path)|parts\/card-page)\.tsx?$/,
    priority: 3,
  },
  {
    name: 'shell',
    test: /src\/(?:app\/(?:command-tools|side-navigation)|mail\/inboxes\/inbox-actions|parts\/(?:data-table|icon-button|empty-state|copy-button|status-badge|time)|keys\/key-snippets|lib\/(?:use-live|shared-queries|mail-paths))\.tsx?$/,
    priority: 2,
  },
  {
    name: 'menus',
    test: /src\/(?:app\/menus|control\/pausing|approvals\/approval-queries|mail\/inboxes\/create-inbox)\.tsx$/,
    priority: 1,
  },
];
