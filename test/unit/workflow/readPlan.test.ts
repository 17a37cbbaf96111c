import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { message } from '../../../src/values/message.ts';
import { readPlan } from '../../../src/workflow/readPlan.ts';
import { CONTEXT, planOf, problemsOf } from './plans.ts';

/** features.md row 18, as it stands there and on the skill bank's page. */
const TWO_LINES = `{"skill": "vcn-gap-analysis", "action": "analyze", "platform": "brev"},
{"skill": "visual-changenet", "action": "train", "platform": "lepton"}`;

describe('a plan file', () => {
  it('may be the two lines of the skill bank, as they stand', async () => {
    const { plan, problems } = await readPlan(TWO_LINES, CONTEXT);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      plan?.steps.map(({ gpus, name, needs, platform, shape, work }) => ({
        gpus,
        name,
        needs,
        platform,
        shape,
        runs: work.kind === 'spec' ? [work.network, work.action, work.specFiles] : [],
      })),
      [
        {
          gpus: 0,
          name: 'vcn-gap-analysis-analyze',
          needs: [],
          platform: 'brev',
          shape: undefined,
          runs: [
            'gap_analysis',
            'vcn_aoi',
            ['specs/vcn-gap-analysis-analyze.yaml', 'vcn-gap-analysis-analyze.yaml'],
          ],
        },
        {
          gpus: 8,
          name: 'visual-changenet-train',
          needs: [],
          platform: 'lepton',
          shape: 'gpu.8xh100-80gb',
          runs: [
            'visual_changenet',
            'train',
            ['specs/visual-changenet-train.yaml', 'visual-changenet-train.yaml'],
          ],
        },
      ],
    );
    for (const text of [`[${TWO_LINES}]`, TWO_LINES.replace('},', '}').replace(/^/gm, '- ')]) {
      assert.deepEqual(
        (await readPlan(text, CONTEXT)).plan?.steps.map(({ name }) => name),
        ['vcn-gap-analysis-analyze', 'visual-changenet-train'],
      );
    }
  });

  it('shows a missing spec in its own line, and what would be looked for', async () => {
    assert.deepEqual(await problemsOf(TWO_LINES, { fileExists: async () => false }), [
      '1: warning: The step has no spec, and there is no vcn-gap-analysis-analyze.yaml beside the plan. Make it, or name another spec.',
      '2: warning: The step has no spec, and there is no visual-changenet-train.yaml beside the plan. Make it, or name another spec.',
    ]);
  });

  it('orders steps by what they need and by whose outputs and machines they use', async () => {
    const plan = await planOf({
      results: 's3://bucket/flow',
      steps: [
        { name: 'prepare', platform: 'brev', command: 'true' },
        { name: 'merge', platform: 'brev', command: 'true', instance: { of: 'prepare' } },
        { name: 'again', platform: 'brev-sdk', skill: 'dino', instance: { of: 'merge' } },
        {
          name: 'train',
          platform: 'lepton',
          skill: 'dino',
          inputs: { '/data/all': 'merge' },
          needs: 'prepare',
        },
        {
          name: 'judge',
          platform: 'lepton',
          skill: 'dino',
          action: 'evaluate',
          inputs: { '/data/best': 's3://bucket/flow/train/best.pth' },
        },
      ],
    });
    assert.deepEqual(Object.fromEntries(plan.steps.map(({ name, needs }) => [name, needs])), {
      prepare: [],
      merge: ['prepare'],
      again: ['merge'],
      train: ['prepare', 'merge'],
      judge: ['train'],
    });
    assert.deepEqual(plan.steps[2]?.instance, { kind: 'reuse', step: 'merge', owner: 'prepare' });
    assert.deepEqual(plan.steps[3]?.inputs, [
      { path: '/data/all', uri: 's3://bucket/flow/merge/', writtenBy: 'merge', kind: 'folder' },
    ]);
    assert.equal(plan.steps[4]?.inputs[0]?.kind, 'file');
  });

  it('says everything that is wrong, each in its line', async () => {
    const text = `steps:
- {name: a, platform: brev, command: "true", nodes: 2}
- {name: a, platform: lepton, skill: dino}
- {name: c, platform: brev, command: "true", needs: [nobody]}
- {name: d, platform: lepton, skill: no-such-skill}
- {name: e, platform: lepton, skill: dino, action: fly}
- {name: f, platform: lepton, skill: dino, outputs: "s3://bucket/x/"}
- {name: g, platform: lepton, skill: dino, outputs: "s3://bucket/x/y/"}
- {name: h, platform: lepton, skill: dino, inputs: {/data: "s3:/bucket/x"}}
- {name: i, platform: brev, command: "true", instance: {of: later}}
- {name: later, platform: brev, command: "true"}
- {name: k, platform: lepton, skill: dino, instance: new}
- {name: l, platform: brev-sdk, command: "true"}
- {name: m, platform: lepton, skill: dino, outputs: "s3://bucket"}
- {name: n, platform: brev}
- {name: o, platform: brev, command: "true", gpus: 16}
- {name: p, platform: lepton, skill: dino, inputs: {/data: later}}
`;
    assert.deepEqual(await problemsOf(text), [
      '2: error: A Brev instance is one machine, so a step on it has one node. Run it on lepton for 2 nodes.',
      '3: error: Two steps are called a. Give one of them another name.',
      '4: error: c needs nobody, but there is no such step.',
      '5: error: The skill no-such-skill is not known here, so it is not known what it runs. Give the step a command (and an image), or correct the name.',
      '6: error: dino has no action fly; it has train, distill, quantize, evaluate, export, inference.',
      '8: error: g writes s3://bucket/x/y/, which f writes too.',
      '9: error: s3:/bucket/x is no path in S3: it begins with s3://.',
      '10: error: later does not come before this step, so it has no instance that could be used again.',
      '12: error: Lepton has no instances. Give the step a shape instead.',
      '13: error: A command on brev-sdk runs in a container: give the step an image.',
      '14: error: s3://bucket is a whole bucket. Name a folder in it.',
      '15: error: The step does not say what it runs: give it a skill, or a command.',
      '16: error: A Brev instance has up to 8 GPUs. Run the step on lepton for more.',
      '17: error: later has no outputs that p could use. Give it outputs, or the plan a place for results.',
    ]);
  });

  it('says what has another form than a plan, at the value or at the key', async () => {
    const lines = await problemsOf(`{
  "title": "x",
  "steps": [
    {"skill": "dino", "platform": "aws"},
    {"skill": "dino"},
    {"skill": "dino", "platform": "lepton", "gpu": 1},
    {"skill": "dino", "platform": "lepton", "timeout": "soon"},
    {"skill": "dino", "platform": "lepton", "instance": {"from": "x"}},
    {"skill": "dino", "platform": "lepton", "timeout": "0h"},
    {"platform": "brev", "command": " "}
  ]
}`);
    assert.deepEqual(
      new Set(lines),
      new Set([
        '2: error: A plan has no title: it has name, results, skipIfOutputExists and steps.',
        '4: error: aws is no platform. The platforms are brev, brev-sdk and lepton.',
        '5: error: The step has no platform: brev, brev-sdk or lepton.',
        '6: error: A step has no gpu. Its keys are in the list that the editor offers.',
        '7: error: A timeout is written like 90m, 2h or 1d12h.',
        '8: error: instance is the name of an instance, "new", {"new": "TYPE"}, or {"of": "STEP"} for that of an earlier step.',
        '9: error: A timeout is written like 90m, 2h or 1d12h.',
        '10: error: The command is empty.',
      ]),
    );
  });

  it('finds circles', async () => {
    assert.deepEqual(
      await problemsOf(`- {name: a, platform: brev, command: x, needs: [b]}
- {name: b, platform: brev, command: x, needs: [c]}
- {name: c, platform: brev, command: x, needs: a}`),
      ['1: error: These steps wait for each other: a → b → c → a'],
    );
  });

  it('says that a platform is not set up where a step uses it', async () => {
    const lines = await problemsOf(TWO_LINES, {
      platformTrouble: (platform) =>
        platform === 'lepton' ? message('{0}', 'Lepton is not set up.') : undefined,
    });
    assert.deepEqual(lines, ['2: warning: Lepton is not set up.']);
  });

  for (const [what, text, line] of [
    ['no YAML', 'steps:\n- {a: b', '2'],
    ['nothing', '', '1'],
    ['a number', '3', '1'],
    [
      'aliases that multiply',
      `a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nsteps: [*c,*c,*c,*c,*c,*c]`,
      '1',
    ],
    ['more than anybody writes', `# ${'x'.repeat(200_000)}`, '1'],
    ['no steps', 'steps: []', '1'],
  ] as const) {
    it(`survives ${what}`, async () => {
      const { plan, problems } = await readPlan(text, CONTEXT);
      assert.equal(plan, undefined);
      assert.equal(String(problems[0]?.place.line), line);
    });
  }
});
