/** Labels: their page, and the menu that puts them on messages. */
export const labelsText = {
  title: 'Labels',
  about: 'Labels help people and agents sort messages and find them again.',
  change: 'Labels',
  find: 'Find a label',
  manage: 'Manage labels',
  name: 'Name',
  namePlaceholder: 'urgent',
  color: 'Colour',
  create: 'Create a label',
  submit: 'Create',
  created: (name: string) => `“${name}” was created.`,
  columns: { name: 'Name', created: 'Created', actions: 'Actions' },
  show: (name: string) => `Show threads with “${name}”`,
  colors: {
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    teal: 'Teal',
    blue: 'Blue',
    violet: 'Violet',
    grey: 'Grey',
  },
  deletion: (name: string) => ({
    label: `Delete ${name}`,
    button: 'Delete',
    title: `Delete “${name}”?`,
    message: 'The label is removed from all messages. The messages are kept. This cannot be undone.',
    confirm: 'Delete the label',
    done: `“${name}” was deleted.`,
  }),
  empty: {
    title: 'No labels yet',
    message:
      'Create one, or let your agent label messages. A label that does not exist yet is created automatically.',
  },
};
