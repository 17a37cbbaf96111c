import path from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { totalBytes, transferTimeoutMs } from '../../jobs/results.ts';
import type { JobResults, ResultFile } from '../../platforms/results.ts';
import { downloadFile } from '../../remote/downloadFile.ts';
import { fileSize } from '../../values/fileSize.ts';
import type { Parts } from '../parts.ts';
import { type Choice, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';
import { fileCount, withProgress } from './saveResults.ts';

/** Lists what a job left until now; a file that is picked is downloaded, the buttons take all. */
export const showResults: Command = {
  id: 'brev.showResults',
  run: async (parts, argument) => {
    const job = await chooseJob(parts, argument, vscode.l10n.t('Show Results'), (each) => !each.foreign);
    if (job !== undefined) {
      await show(parts, job);
    }
  },
};

async function show(parts: Parts, job: Job): Promise<void> {
  const { id, instanceId, instanceName } = job.details;
  let results: JobResults | undefined;
  const picked = await pickOne<ResultFile>(
    {
      title: vscode.l10n.t('Results of {0} on {1}', id, instanceName),
      placeholder: vscode.l10n.t('Pick a file to download it; the buttons above take all'),
      buttons: [
        { id: 'download', icon: 'desktop-download', tooltip: vscode.l10n.t('Download All…') },
        { id: 'upload', icon: 'cloud-upload', tooltip: vscode.l10n.t('Upload All to S3…') },
      ],
    },
    async () => {
      const listed = await parts.jobs.results(id, new AbortController().signal);
      if (listed.kind !== 'ok') {
        if (listed.kind === 'failed') {
          void showFailure(listed.failure, parts.log, instanceId);
        }
        return undefined;
      }
      results = listed.value;
      if (isEmpty(results)) {
        void vscode.window.showInformationMessage(
          vscode.l10n.t(
            '{0} has left nothing in its results folder. What it wrote elsewhere on {1}, such as in ~/data, is not listed.',
            id,
            instanceName,
          ),
        );
        return undefined;
      }
      return choices(results);
    },
  );
  if (picked.kind === 'button') {
    const command = picked.id === 'upload' ? 'brev.uploadResults' : 'brev.downloadResults';
    await vscode.commands.executeCommand(command, { kind: 'job', id });
  } else if (picked.kind === 'picked' && results !== undefined) {
    await downloadOne(parts, job, results, picked.value);
  }
}

function isEmpty({ files, links, unusable }: JobResults): boolean {
  return files.length + links.length + unusable.length === 0;
}

function choices({ files, links, unusable, whole }: JobResults): readonly Choice<ResultFile>[] {
  const sorted = [...files].sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  const separator = (label: string): Choice<ResultFile> => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  return [
    separator(`${fileCount(files.length)}, ${fileSize(totalBytes(files))}`),
    ...sorted.map((file) => ({
      label: file.path,
      description: `${fileSize(file.bytes)} · ${new Date(file.modified).toLocaleString()}`,
      iconPath: new vscode.ThemeIcon('file'),
      value: file,
    })),
    ...(links.length === 0 ? [] : [separator(vscode.l10n.t('Links'))]),
    ...links.map((link) => ({
      label: link.path,
      description:
        link.target === undefined ? vscode.l10n.t('points outside of the results') : `→ ${link.target}`,
      iconPath: new vscode.ThemeIcon('link'),
    })),
    ...(unusable.length === 0 ? [] : [separator(vscode.l10n.t('Not readable, or no files'))]),
    ...unusable.map((each) => ({ label: each.path, iconPath: new vscode.ThemeIcon('warning') })),
    ...(whole ? [] : [separator(vscode.l10n.t('There are more, which are not listed'))]),
  ];
}

async function downloadOne(parts: Parts, job: Job, results: JobResults, file: ResultFile): Promise<void> {
  const name = path.posix.basename(file.path);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Download {0}', name),
    ...(folder?.scheme === 'file' ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (chosen === undefined || chosen.scheme !== 'file') {
    return;
  }
  const outcome = await withProgress(vscode.l10n.t('Downloading {0}', name), (onProgress, signal) => {
    let doneBytes = 0;
    return downloadFile(
      {
        download: (remote, onBytes, options) =>
          results.download(
            remote,
            (chunk) => {
              onBytes(chunk);
              doneBytes += chunk.length;
              onProgress({ step: 'transferring', doneBytes, totalBytes: file.bytes });
            },
            options,
          ),
      },
      file.path,
      chosen.fsPath,
      { timeoutMs: transferTimeoutMs(file.bytes), signal },
    );
  });
  if (outcome.kind === 'failed') {
    await showFailure(outcome.failure, parts.log, job.details.instanceId);
  } else if (outcome.kind === 'ok') {
    const open = vscode.l10n.t('Open');
    const asked = await vscode.window.showInformationMessage(
      vscode.l10n.t('{0} ({1}) is downloaded and verified.', name, fileSize(outcome.value)),
      open,
    );
    if (asked === open) {
      await vscode.commands.executeCommand('vscode.open', chosen);
    }
  }
}
