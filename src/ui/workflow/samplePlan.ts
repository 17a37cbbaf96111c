/** A plan to begin with: cheap steps on a small machine at Brev, the training on Lepton, S3 between them. */
export function samplePlan(bucket: string): string {
  return `# Runs on several platforms, step by step. Hover over a key to see what it means.
name: train
# each step's results go to a folder of its own here
results: s3://${bucket}/train
steps:
  - name: prepare
    platform: brev
    gpus: 0
    # without an image it runs on the machine itself; inputs are below its home directory
    inputs:
      /data/raw/: s3://${bucket}/raw/
    command: |
      cp -r ~/data/raw/. "$RESULTS_DIR"
    timeout: 1h

  - name: train
    skill: visual-changenet
    action: train
    platform: lepton
    spec: train.yaml
    inputs:
      /data/train: prepare
    nodes: 1
    timeout: 12h
    retries: 1

  - name: evaluate
    skill: visual-changenet
    action: evaluate
    platform: brev
    spec: evaluate.yaml
    inputs:
      /data/model: train
    timeout: 2h
    skipIfOutputExists: true
`;
}
