import { Box, Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
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
    <Stack
      component="section"
      className="console-held"
      pos="fixed"
      gap={8}
      w="min(440px, calc(100vw - 32px))"
      style={{ zIndex: 300, insetBlockEnd: 16, insetInlineStart: 16 }}
      aria-label={heldText.label}
    >
      {actions.map((held) => (
        <HeldNotice key={held.action.id} held={held} />
      ))}
    </Stack>
  );
}

function HeldNotice({ held }: { held: Held }) {
  const { action, state, error } = held;
  const link = action.link?.(held) ?? null;
  const isOver = state === 'done' || state === 'failed';
  return (
    <Paper withBorder shadow="md" p="sm" data-state={state}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text role={state === 'failed' ? 'alert' : 'status'} lineClamp={2}>
            {state === 'done' ? action.texts.done(held.result) : action.texts[state]}
          </Text>
          {state === 'waiting' && (
            <Text variant="detail" aria-hidden>
              <Countdown to={held.beginsAt} />
            </Text>
          )}
          {state === 'failed' && <Text variant="detail">{describeProblem(error).message}</Text>}
        </Box>
        <HeldButtons held={held} />
        {link !== null && (
          <Button
            component={Link}
            to={link.to}
            size="xs"
            variant="default"
            onClick={() => isOver && dropAction(action.id)}
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

/** The seconds until a waiting action begins, which is at a time in milliseconds since 1970. */
export function Countdown({
  to,
  text = heldText.seconds,
}: {
  to: number;
  text?: (seconds: number) => string;
}) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return text(Math.max(0, Math.ceil((to - now) / 1000)));
}
