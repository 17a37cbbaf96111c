import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

/** A new folder that goes away with the test. */
export function temporaryFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'brev-unit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
