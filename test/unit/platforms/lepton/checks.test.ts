import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { leptonNodeGroups } from '../../../../src/preflight/checks/leptonNodeGroups.ts';
import { leptonToken } from '../../../../src/preflight/checks/leptonToken.ts';
import { leptonWorkspace } from '../../../../src/preflight/checks/leptonWorkspace.ts';
import { findLeptonAccount } from '../../../../src/preflight/leptonAccount.ts';
import { Setup } from '../../../../src/preflight/setup.ts';
import { startLeptonSim } from '../../../lepton-sim/sim.ts';
import { fakeContext } from '../../preflight/support/context.ts';
import { readings } from '../../preflight/support/reading.ts';

/** All three lines, with a workspace that answers. */
async function lines(
  t: TestContext,
  given: { token?: string; environment?: Record<string, string>; workspace?: string } = {},
  spoil: (sim: Awaited<ReturnType<typeof startLeptonSim>>) => void = () => undefined,
): Promise<Record<string, string>> {
  const sim = await startLeptonSim();
  t.after(() => sim.dispose());
  spoil(sim);
  const setup = new Setup(
    fakeContext({
      leptonAccount: () =>
        findLeptonAccount(
          {
            environment: given.environment ?? { LEPTON_WORKSPACE_ID: 'ws1', LEPTON_WORKSPACE_URL: sim.url },
            envFile: undefined,
            secrets: async (name) =>
              name === 'LEPTON_WORKSPACE_TOKEN' ? (given.token ?? sim.token) : undefined,
          },
          given.workspace ?? '',
        ),
    }),
    [leptonWorkspace, leptonToken, leptonNodeGroups],
  );
  return readings(await setup.run());
}

describe('the set-up of Lepton', () => {
  it('is good', async (t) => {
    assert.deepEqual(await lines(t), {
      leptonWorkspace: 'passed: Set up: ws1.',
      leptonToken: 'passed: Lepton accepts it.',
      leptonNodeGroups: 'passed: h100-ng, cpu-ng.',
    });
  });

  it('is not there, which is no fault', async (t) => {
    assert.deepEqual(await lines(t, { token: '', environment: {} }), {
      leptonWorkspace:
        'skipped: Not set up; only jobs on DGX Cloud Lepton need it. [brev.enterCredential LEPTON_WORKSPACE_TOKEN]',
      leptonToken: 'skipped: Checked once a Lepton workspace is set up.',
      leptonNodeGroups: 'skipped: Checked once Lepton accepts the token.',
    });
  });

  it('takes the workspace from the setting, where nothing else names one', async (t) => {
    const { leptonWorkspace: line } = await lines(t, { environment: {}, workspace: 'ws-7' });
    assert.equal(line, 'passed: Set up: ws-7.');
  });

  it('lacks its other half', async (t) => {
    const { leptonWorkspace: line } = await lines(t, { environment: {} });
    assert.equal(
      line,
      'failed: LEPTON_WORKSPACE_TOKEN is set, but LEPTON_WORKSPACE_ID is not: Lepton needs both. [brev.enterCredential LEPTON_WORKSPACE_ID]',
    );
  });

  it('has a token that is refused', async (t) => {
    const { leptonToken: token, leptonNodeGroups: groups } = await lines(t, { token: 'stale' });
    assert.match(
      token ?? '',
      /^failed: Lepton does not accept the token\..* \[brev.enterCredential LEPTON_WORKSPACE_TOKEN\]/,
    );
    assert.match(groups ?? '', /^skipped/);
  });

  it('cannot be judged while the service has trouble', async (t) => {
    const { leptonToken: token } = await lines(t, {}, (sim) =>
      sim.fail({ on: /workspace/, what: { kind: 'status', status: 502 } }),
    );
    assert.match(token ?? '', /^unknown: .*HTTP 502/);
  });

  it('has no nodes', async (t) => {
    const { leptonNodeGroups: groups } = await lines(t, {}, (sim) =>
      sim.fail({ on: /node-groups/, what: { kind: 'status', status: 200, body: '[]' } }),
    );
    assert.match(groups ?? '', /^warning: The workspace has no node group/);
  });
});
