import { type DragEvent, useState } from 'react';

/** Returns the properties of an element on which files can be dropped, and whether files are over it. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    dropProps: {
      // Each element inside fires these events too, so they are counted.
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((before) => before + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((before) => Math.max(0, before - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
