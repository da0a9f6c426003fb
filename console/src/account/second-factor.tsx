import { Button, Center, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { accountText } from '#strings/account.ts';
import { saveText } from '../lib/browser.ts';
import { errorCode } from '../lib/problem.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ApiForm, type DialogProps } from '../parts/form-dialog.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { PasswordButton, PasswordField } from './account-parts.tsx';

const text = accountText.secondFactor;
const fewCodes = 3;

/** Whether a code of an app is asked for when signing in, and the ways to change that. */
export function SecondFactor() {
  const { has_second_factor: isOn, recovery_codes_left: codesLeft } = useSession().person;
  const { mutateAsync } = useChange(['session', 'own-sessions'], ({ ask }, password: string) =>
    ask('me.removeSecondFactor', { body: { password } }),
  );
  const [isSettingUp, setUp] = useDisclosure(false);
  const actions = (
    <Group gap="xs">
      <Button size="xs" variant={isOn ? 'default' : 'filled'} onClick={setUp.open}>
        {isOn ? text.renew : text.setUp}
      </Button>
      <PasswordButton {...text.remove} isHidden={!isOn} onPassword={mutateAsync} />
    </Group>
  );
  return (
    <Panel title={text.title} about={text.about} actions={actions}>
      <Group gap="sm">
        <StatusBadge tone={isOn ? 'good' : 'quiet'}>{isOn ? text.on : text.off}</StatusBadge>
        {isOn && (
          <Text c={codesLeft < fewCodes ? 'var(--mantine-color-error)' : 'dimmed'}>
            {text.codesLeft(codesLeft)} {codesLeft < fewCodes && text.fewCodes}
          </Text>
        )}
      </Group>
      <SetUpSecondFactor isOpen={isSettingUp} onClose={setUp.close} />
    </Panel>
  );
}

interface Begun {
  secret: string;
  uri: string;
}

function SetUpSecondFactor({ isOpen, onClose }: DialogProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const reset = () => {
    setBegun(null);
    setCodes(null);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={codes ? text.codesTitle : text.dialog}
      closeOnClickOutside={begun === null}
      closeOnEscape={codes === null}
      onExitTransitionEnd={reset}
    >
      {codes && <RecoveryCodes codes={codes} onClose={onClose} />}
      {begun && !codes && <AppStep begun={begun} onCodes={setCodes} onClose={onClose} />}
      {!begun && !codes && <PasswordStep onBegun={setBegun} onClose={onClose} />}
    </Modal>
  );
}

function PasswordStep({ onBegun, onClose }: { onBegun(begun: Begun): void; onClose(): void }) {
  const { mutateAsync } = useChange([], ({ ask }, password: string) =>
    ask('me.beginSecondFactor', { body: { password } }),
  );
  return (
    <ApiForm
      submit={text.next}
      onSubmit={(field) => mutateAsync(field('current'))}
      onDone={onBegun}
      onCancel={onClose}
    >
      <PasswordField isFirst />
    </ApiForm>
  );
}

function AppStep(props: { begun: Begun; onCodes(codes: string[]): void; onClose(): void }) {
  const { onCodes, onClose } = props;
  const { secret, uri } = props.begun;
  const { mutateAsync, error } = useChange(['session', 'own-sessions'], ({ ask }, code: string) =>
    ask('me.confirmSecondFactor', { body: { code } }),
  );
  const isWrong = errorCode(error) === 'second_factor_required';
  return (
    <ApiForm
      submit={text.confirm}
      onSubmit={(field) => mutateAsync(field('code'))}
      onDone={({ recovery_codes }) => onCodes(recovery_codes)}
      onCancel={onClose}
      showError={(cause) => !isWrong && <ApiProblem error={cause} />}
    >
      <Text>{text.scan}</Text>
      <Center>
        <QrCode value={uri} label={text.qr} />
      </Center>
      <CodeBlock label={text.secret} code={grouped(secret)} />
      <TextInput
        name="code"
        label={text.code}
        error={isWrong ? text.codeWrong : undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        autoFocus
      />
    </ApiForm>
  );
}

/** Groups of four are easier to type. Apps ignore the spaces. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}

/** Cells that scanners need free around the code (ISO/IEC 18004). */
const quietCells = 4;

/** A value as a QR code, dark on white in every colour scheme, because many scanners read nothing else. */
function QrCode({ value, label }: { value: string; label: string }) {
  const { size, path } = useMemo(() => drawCode(value), [value]);
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

function drawCode(value: string): { size: number; path: string } {
  const { size, data } = encode(value, { ecc: 'M', border: quietCells });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { size, path: cells.join('') };
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { email } = useSession().person;
  const file = [text.fileHead(email), '', ...codes, ''].join('\n');
  return (
    <Stack gap="md">
      <Text>{text.codesHelp}</Text>
      <CodeBlock label={text.codes} code={codes.join('\n')} />
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText(text.fileName, file)}
        >
          {text.download}
        </Button>
        <Button onClick={onClose}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
