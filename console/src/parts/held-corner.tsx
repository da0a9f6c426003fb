import './held-corner.css';
import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { heldText } from '#strings/parts.ts';
import { describeProblem } from '../lib/problem.ts';
import { beginAction, dropAction, type Held, undoAction, useHeldActions } from './held-actions.ts';

/** The corner with actions that can still be taken back, and with those that are over. */
export function HeldCorner() {
  const actions = useHeldActions();
  if (actions.length === 0) return null;
  return (
    <section className="console-held" aria-label={heldText.label}>
      {actions.map((held) => (
        <HeldNotice key={held.action.id} held={held} />
      ))}
    </section>
  );
}

function HeldNotice({ held }: { held: Held }) {
  const { action, state, error } = held;
  const link = action.link?.(held) ?? null;
  const isOver = state === 'done' || state === 'failed';
  return (
    <Paper withBorder shadow="md" p="sm" data-state={state}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <div className="console-held-text">
          <Text role={state === 'failed' ? 'alert' : 'status'} lineClamp={2}>
            {actionText(held)}
          </Text>
          {state === 'waiting' && (
            <Text size="xs" c="dimmed" aria-hidden>
              <Countdown to={held.beginsAt} />
            </Text>
          )}
          {state === 'failed' && (
            <Text size="xs" c="dimmed">
              {describeProblem(error).message}
            </Text>
          )}
        </div>
        <HeldButtons held={held} />
        {link !== null && (
          <Button
            component={Link}
            to={link.to}
            size="xs"
            variant="default"
            onClick={() => dropIf(isOver, action.id)}
          >
            {link.label}
          </Button>
        )}
        {isOver && (
          <CloseButton size="sm" aria-label={heldText.dismiss} onClick={() => dropAction(action.id)} />
        )}
      </Group>
    </Paper>
  );
}

/** The buttons of a waiting action: to take it back, and to do it now. */
function HeldButtons({ held: { action, state } }: { held: Held }) {
  if (state !== 'waiting') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="filled" onClick={() => undo(action.id)}>
        {heldText.undo}
      </Button>
      <Button size="xs" variant="default" onClick={() => beginAction(action.id)}>
        {action.texts.now}
      </Button>
    </Group>
  );
}

/** The button goes with its notice. If nothing that came back has taken the focus, the page gets it. */
function undo(id: string): void {
  undoAction(id);
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus();
  });
}

interface CountdownProps {
  /** The end, in milliseconds since 1970. */
  to: number;
  /** Returns the content to show. */
  text?: (seconds: number) => string;
}

/** The seconds until a waiting action begins. */
export function Countdown({ to, text = heldText.seconds }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return text(Math.max(0, Math.ceil((to - now) / 1000)));
}

function actionText({ action: { texts }, state, result }: Held): string {
  return state === 'done' ? texts.done(result) : texts[state];
}

function dropIf(isOver: boolean, id: string): void {
  if (isOver) dropAction(id);
}
