import type { Demo } from '../demo.ts';

/** The installed CLI is one with placement flags, and the account has several places. */
export async function speakTaoDialect({ cloud }: Demo): Promise<string> {
  await cloud.cloud((state) => {
    state.dialect = 'tao';
    state.placement = {
      cloudCredentials: [
        { id: 'cred-aws-research', name: 'aws-research' },
        { id: 'cred-gcp-vision', name: 'gcp-vision' },
      ],
      workspaceGroups: ['devplane-brev-1', 'devplane-brev-2'],
    };
  });
  return 'The CLI speaks the dialect with placement flags.';
}
