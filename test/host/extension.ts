import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { createSim, type Sim } from '../brev-sim/sim.ts';

/** The extension in this window, activated, and what it is made of. */
export async function extension(): Promise<TestAccess> {
  const found = vscode.extensions.getExtension<TestAccess | undefined>('brev-instances.brev-instances');
  assert.ok(found, 'the extension is installed in this window');
  const access = await found.activate();
  assert.ok(access, 'the extension runs in test mode');
  return access;
}

/** The simulated cloud that this window's CLI talks to. */
export function cloud(): Promise<Sim> {
  const root = process.env.BREV_SIM_ROOT;
  assert.ok(root, 'the suite has a simulated cloud');
  return createSim({ root });
}

/** Resolves when `look` gives something; it is asked again whenever `changed` tells. */
export function until<T>(
  changed: (listener: () => void) => () => void,
  look: () => T | undefined,
): Promise<T> {
  return new Promise((resolve) => {
    const check = (): void => {
      const found = look();
      if (found !== undefined) {
        stop();
        resolve(found);
      }
    };
    const stop = changed(check);
    check();
  });
}
