import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { auditText } from '#strings/audit.ts';
import { saveText } from '../lib/save-text.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { readExport } from './audit-queries.ts';

/** A button that saves the whole log as JSON Lines, which can be verified without the server. */
export function DownloadLog() {
  const { workspace_id: workspace } = useWorkspace();
  const [isReading, setReading] = useState(false);
  async function download() {
    setReading(true);
    try {
      saveText(`audit-${workspace}.jsonl`, await readExport(workspace));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setReading(false);
    }
  }
  return (
    <Button
      variant="default"
      loading={isReading}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void download()}
    >
      {auditText.download}
    </Button>
  );
}
