import { useMemo } from 'react';
import { encode } from 'uqr';

/** Cells that scanners need free around the code (ISO/IEC 18004). */
const quietCells = 4;

/** A text as a QR code, dark on white in every colour scheme, because many scanners read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawCode(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={208}
      height={208}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      style={{ borderRadius: 6 }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quietCells });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { size, path: cells.join('') };
}
