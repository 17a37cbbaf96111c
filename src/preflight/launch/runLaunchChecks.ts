import { type SpecPath, specPaths } from '../../tao/specPaths.ts';
import { readSpec } from '../../tao/specScalars.ts';
import { message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';
import type { LaunchContext } from './context.ts';
import { disk } from './disk.ts';
import { docker } from './docker.ts';
import { gpus } from './gpus.ts';
import { huggingFace } from './huggingFace.ts';
import { instanceAnswers } from './instanceAnswers.ts';
import { instanceOn } from './instanceOn.ts';
import type { LaunchCheck } from './launchCheck.ts';
import { LocalInputs } from './localInputs.ts';
import { localOutputs } from './localOutputs.ts';
import { machineSize } from './machineSize.ts';
import { ngcKey } from './ngcKey.ts';
import { type AskedPath, askInstance, type RemoteFacts } from './remoteFacts.ts';
import { s3Inputs } from './s3Inputs.ts';
import { s3Keys } from './s3Keys.ts';
import { s3Outputs } from './s3Outputs.ts';
import { signedIn } from './signedIn.ts';
import { specReadable } from './specReadable.ts';
import { waitFor } from './timeLimit.ts';

/** For finding the instance and a way to it; the first command on it has longer. */
const SHELL_LIMIT_MS = 120_000;

/**
 * Looks at everything that could keep a job from running, before it costs anything: the account, S3 and the instance at
 * the same time. The lines come in a fixed order; `onLines` gets them as they are known.
 */
export async function runLaunchChecks(
  context: LaunchContext,
  signal: AbortSignal,
  onLines: (lines: readonly LaunchCheck[]) => void = () => undefined,
): Promise<Outcome<readonly LaunchCheck[]>> {
  const waited = await waitFor(lookAtAll(context, signal, onLines), undefined, signal);
  return waited.kind === 'done' && !signal.aborted ? ok(waited.value) : cancelled;
}

async function lookAtAll(
  context: LaunchContext,
  signal: AbortSignal,
  onLines: (lines: readonly LaunchCheck[]) => void,
): Promise<readonly LaunchCheck[]> {
  const spec = await readSpec(context.run.specFile.content);
  const scalars = spec.kind === 'read' ? spec.scalars : [];
  const named = specPaths(scalars, context.run.action);
  const paths = onceEach(named.paths);
  const inS3 = paths.filter(({ kind }) => kind === 's3');
  const inContainer = paths.filter(({ kind }) => kind !== 's3');
  const isInput = ({ role }: SpecPath): boolean => role === 'input';
  const localInputs = new LocalInputs(context, inContainer.filter(isInput));

  const account = signedIn(context, signal);
  const answer = account.then(({ state }) =>
    // a signed-out CLI asks for a sign-in at each call, and exec would start an instance that is off
    state === 'passed' && context.instance.on ? askOver(context, localInputs.asked, signal) : undefined,
  );
  const facts = answer.then((outcome) => (outcome?.kind === 'ok' ? outcome.value : undefined));

  const groups: readonly (readonly LaunchCheck[] | Promise<readonly LaunchCheck[]>)[] = [
    account.then((line) => [line]),
    [instanceOn(context), specReadable(spec, named)],
    answer.then((outcome) => [instanceAnswers(context, outcome)]),
    facts.then(async (known) => [
      docker(known),
      gpus(context, known),
      await machineSize(context, known),
      disk(known),
    ]),
    facts.then((known) => ngcKey(context, known)),
    huggingFace(context, scalars),
    inS3.length > 0 ? [s3Keys(context)] : [],
    s3Inputs(context, inS3.filter(isInput), signal),
    facts.then((known) => localInputs.lines(known)),
    s3Outputs(
      context,
      inS3.filter((path) => !isInput(path)),
      signal,
    ),
    localOutputs(
      context,
      inContainer.filter((path) => !isInput(path)),
    ),
  ];
  const lines = await Promise.all(
    groups.map(async (group) => {
      const known = await group;
      if (!signal.aborted) {
        onLines(known);
      }
      return known;
    }),
  );
  return lines.flat();
}

async function askOver(
  context: LaunchContext,
  asked: readonly AskedPath[],
  signal: AbortSignal,
): Promise<Outcome<RemoteFacts>> {
  const waited = await waitFor(context.shell(), { clock: context.clock, ms: SHELL_LIMIT_MS }, signal);
  switch (waited.kind) {
    case 'cancelled':
      return cancelled;
    case 'timedOut':
      return failed({
        kind: 'timedOut',
        message: message(
          'No connection to {0} within {1} seconds. Try again.',
          context.instance.name,
          SHELL_LIMIT_MS / 1_000,
        ),
        retrySafe: true,
      });
    case 'done':
      return waited.value.kind === 'ok'
        ? askInstance(waited.value.value, context.run.image, asked, signal)
        : waited.value;
  }
}

/** A path that stands in several lines is looked at once: where it is needed, if it is anywhere. */
function onceEach(paths: readonly SpecPath[]): readonly SpecPath[] {
  const chosen = new Map<string, SpecPath>();
  for (const path of paths) {
    const key = `${path.role} ${path.value}`;
    const before = chosen.get(key);
    if (before === undefined || (path.needed && !before.needed)) {
      chosen.set(key, path);
    }
  }
  return [...chosen.values()];
}
