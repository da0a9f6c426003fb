import './fact-list.css';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { CopyButton } from './copy-button.tsx';

/** A name with its value. */
export interface Fact {
  name: string;
  value: ReactNode;
  /** The text that a button next to the value copies. */
  copy?: string;
  /** The name of that button, if that of the fact does not say it all. */
  copyLabel?: string;
}

/** Names with their values, one a line. */
export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="console-fact-list">
      {facts.map(({ name, value, copy, copyLabel = `${partsText.copy}: ${name}` }) => (
        <div key={name} className="console-fact">
          <dt>{name}</dt>
          <dd>
            <span>{value}</span>
            {copy !== undefined && <CopyButton value={copy} label={copyLabel} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
