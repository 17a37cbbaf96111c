import type { Demo } from '../demo.ts';

/** The installed CLI is one with placement flags, and the account has several places. */
export async function speakTaoDialect({ cloud }: Demo): Promise<string> {
  await cloud.cloud((state) => {
    state.dialect = 'tao';
  });
  return 'The CLI speaks the dialect with placement flags.';
}
