import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

const shownMs = 2_000;

/** Copies the Markdown of a page, or shows it where a page may not write to the clipboard, and links to it. */
export const CopyPage = defineComponent(() => {
  const { page } = useData();
  const isCopied = ref(false);
  const source = () => withBase(`/${page.value.relativePath}`);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await (await fetch(source())).text());
    } catch {
      return location.assign(source());
    }
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, shownMs);
  };
  return () =>
    page.value.isNotFound
      ? null
      : h('p', { class: 'copy-page' }, [
          h(
            'button',
            { type: 'button', 'aria-live': 'polite', onClick: copy },
            isCopied.value ? 'Copied' : 'Copy page',
          ),
          h('a', { href: source(), target: '_self' }, 'Markdown'),
        ]);
});
