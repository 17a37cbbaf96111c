import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('Activation', () => {
  it('finds the extension and activates it', async () => {
    const extension = vscode.extensions.getExtension('brev-instances.brev-instances');
    assert.ok(extension, 'the extension is installed in this window');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
