/** Each place in the template of the search, and what stands there instead. */
const changes: [string | RegExp, string][] = [
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="selectedIndex === index \? 'true' : 'false'"\s+role="option"/, ''],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  [/<kbd :aria-label=/g, '<kbd role="img" :aria-label='],
];

/**
 * Returns a plugin that gives the search of the default theme the roles of a dialog with a list of links. It says that it is a button with
 * options inside, in which readers of screens find no links. Throws an error if the template has changed.
 */
export function correctSearchRoles() {
  return {
    name: 'correct-search-roles',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return null;
      return changes.reduce((text, [place, instead]) => {
        const changed = text.replace(place, instead);
        if (changed === text) throw new Error(`The search of VitePress has no ${place} any more.`);
        return changed;
      }, code);
    },
  };
}
