import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { scene } from './scene.ts';
import { instanceNamed } from './simulatedMachine.ts';

const INSTANCES = 'brev.instances';
const FILES = 'brev.files';

describe('Files of an instance', () => {
  const now = scene();

  /** A running instance with a data set on it. */
  async function machine(name: string): Promise<string> {
    const { add, list, sim } = now();
    await add(name);
    await list();
    const { home } = await instanceNamed(sim, name);
    mkdirSync(path.join(home, 'data/images'), { recursive: true });
    writeFileSync(path.join(home, 'data/labels.csv'), 'image,class\n1.png,cat\n');
    return home;
  }

  it('features 7: are listed folder by folder, open in an editor, and cannot be changed there', async () => {
    const { screen, calls } = now();
    await machine('files1');
    await screen.menuOf(INSTANCES, 'files1');
    await screen.choose('Browse Files…');
    await screen.until('the home directory', ({ views }) =>
      views.find(({ id }) => id === 'brev-files')?.rows.some(({ label }) => label === 'data'),
    );
    await screen.select(FILES, 'data');
    const { rows } = await screen.until('the data set', ({ views }) =>
      views.find(
        ({ id, rows: all }) => id === 'brev-files' && all.some(({ label }) => label === 'labels.csv'),
      ),
    );
    const at = (label: string) => rows.findIndex((row) => row.label === label);
    assert.ok(at('images') < at('labels.csv'), 'folders come first');
    assert.match(rows[at('labels.csv')]?.description ?? '', /^22 bytes$/);
    await screen.select(FILES, 'labels.csv');
    await eventually(() => vscode.window.activeTextEditor?.document.uri.scheme === 'brev-files');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), 'image,class\n1.png,cat\n');
    assert.equal(vscode.workspace.fs.isWritableFileSystem('brev-files'), false);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(await calls('copy', 'start'), []);
  });

  it('features 7: are uploaded from the explorer into a folder of the instance; one that is there is replaced only if agreed', async () => {
    const { screen, calls } = now();
    const home = await machine('files2');
    const local = await mkdtemp(path.join(tmpdir(), 'brev-upload-'));
    const file = path.join(local, 'labels.csv');
    writeFileSync(file, 'new\n');
    const upload = async () => {
      void vscode.commands.executeCommand('brev.uploadToInstance', vscode.Uri.file(file));
      await screen.pick('files2');
      await screen.quickInput(/^Upload to files2/);
      await screen.type('data');
      await screen.accept();
    };
    await upload();
    const asked = await screen.until('the question', ({ dialog }) => dialog ?? undefined);
    assert.match(asked.detail, /Files of the same name are lost: labels\.csv/);
    await screen.press('Cancel');
    assert.match(readFileSync(path.join(home, 'data/labels.csv'), 'utf8'), /cat/);
    assert.deepEqual(await calls('copy'), []);
    await upload();
    await screen.press('Replace');
    await screen.notification(/^labels\.csv is in .+\/data on files2\.$/);
    assert.equal(readFileSync(path.join(home, 'data/labels.csv'), 'utf8'), 'new\n');
  });

  it('features 7: are uploaded into a folder that is not there yet; two of one name are no surprise', async () => {
    const { screen } = now();
    const home = await machine('files4');
    const local = await mkdtemp(path.join(tmpdir(), 'brev-upload-'));
    const files = ['a', 'b'].map((folder) => path.join(local, folder, 'labels.csv'));
    for (const file of files) {
      mkdirSync(path.dirname(file));
      writeFileSync(file, `of ${path.basename(path.dirname(file))}\n`);
    }
    const upload = async (folder: string, sources: readonly string[]) => {
      const uris = sources.map((file) => vscode.Uri.file(file));
      void vscode.commands.executeCommand('brev.uploadToInstance', uris[0], uris);
      await screen.pick('files4');
      await screen.quickInput(/^Upload to files4/);
      await screen.type(folder);
      await screen.accept();
    };
    await upload('sets/first', files.slice(0, 1));
    await screen.notification(/^labels\.csv is in .+\/sets\/first on files4\.$/);
    assert.equal(readFileSync(path.join(home, 'sets/first/labels.csv'), 'utf8'), 'of a\n');
    await upload('~/sets/second', files);
    const asked = await screen.dialog(/^Replace what is in .+\/sets\/second on files4\?$/);
    assert.match(asked.detail, /Files of the same name are lost: labels\.csv/);
    await screen.press('Cancel');
    assert.ok(!existsSync(path.join(home, 'sets/second/labels.csv')));
  });

  it('features 7: a folder is downloaded into one of its name only if agreed', async () => {
    const { screen, access, calls } = now();
    await machine('files5');
    const local = await mkdtemp(path.join(tmpdir(), 'brev-download-'));
    const mine = path.join(local, 'data/labels.csv');
    mkdirSync(path.dirname(mine));
    writeFileSync(mine, 'mine\n');
    await vscode.commands.executeCommand('brev.browseFiles', await instanceNode('files5'));
    const node = (await access.parts.files.getChildren()).find(({ entry }) => entry.name === 'data');
    const download = async () => {
      void vscode.commands.executeCommand('brev.downloadFile', node);
      await screen.quickInput(/^Where to Save data/);
      await screen.type(`${local}/`);
      // the dialog takes Enter once it has listed the folder
      await screen.until('what is in it', ({ quickInput }) =>
        quickInput?.rows.some((row) => /^data\b/.test(row)),
      );
      await screen.accept();
      await screen.dialog(/^Replace what is in .+\/data\?$/);
    };
    await download();
    await screen.press('Cancel');
    assert.deepEqual(await calls('copy'), []);
    assert.equal(readFileSync(mine, 'utf8'), 'mine\n');
    await download();
    await screen.press('Replace');
    await screen.notification(/^data is at .+\/data\.$/);
    assert.match(readFileSync(mine, 'utf8'), /cat/);
  });

  it('features 5: nothing is asked of an instance that is off', async () => {
    const { screen, add, list, calls } = now();
    await add('off1', { status: 'STOPPED' });
    await list();
    void vscode.commands.executeCommand('brev.browseFiles', await instanceNode('off1'));
    const { message } = await screen.until('the question', ({ dialog }) => dialog ?? undefined);
    assert.match(message, /^off1 is stopped\./);
    await screen.press('Cancel');
    assert.deepEqual(await calls('exec', 'copy', 'start'), []);
  });

  it('features 7: Remote-SSH that cannot be used says so, and a port without SSH says why there is none', async () => {
    const { screen, calls } = now();
    const home = await machine('files3');
    assert.ok(existsSync(home));
    void vscode.commands.executeCommand('brev.openRemoteSsh', await instanceNode('files3'));
    // beside a remote host the user's own SSH settings can't be reached; else there is no Remote-SSH here
    const why = await screen.notification(/needs the Remote-SSH extension|is on another machine itself/);
    assert.deepEqual(why.buttons, vscode.env.remoteName === undefined ? ['Install Remote-SSH'] : []);
    await vscode.commands.executeCommand('notifications.clearAll');
    void vscode.commands.executeCommand('brev.forwardPort', await instanceNode('files3'));
    await screen.pick('JupyterLab');
    await screen.notification(/^A port needs SSH, which does not reach files3/);
    assert.deepEqual(await calls('port-forward'), []);
  });

  async function instanceNode(name: string) {
    const { id } = await instanceNamed(now().sim, name);
    return { kind: 'instance', id };
  }
});
