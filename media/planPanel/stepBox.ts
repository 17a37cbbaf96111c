import type { FromPlanPage, PanelStep, PlanPanelWords } from '../../src/ui/workflow/planProtocol.ts';

type StepAction = Extract<FromPlanPage, { kind: 'step' }>['action'];

/** The id of a step's box. */
export function boxId(name: string): string {
  return `step-${name}`;
}

/** One step: its name, how it is, what it runs, and what can be done with it. */
export function stepBox(
  step: PanelStep,
  words: PlanPanelWords,
  act: (action: StepAction) => void,
): HTMLElement {
  const box = document.createElement('section');
  box.id = boxId(step.name);
  box.className = `step ${step.phase}`;
  box.setAttribute('aria-label', `${step.name}: ${step.phaseWord}`);
  const title = document.createElement('h2');
  title.textContent = step.name;
  const state = document.createElement('span');
  state.className = 'state';
  state.textContent = step.phaseWord;
  title.append(' ', state);
  const lines = [
    step.platform,
    ...step.facts,
    ...(step.needs.length === 0 ? [] : [`${words.needs}: ${step.needs.join(', ')}`]),
  ].map((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    return line;
  });
  const actions = document.createElement('p');
  for (const [action, label, isOffered] of [
    ['log', words.log, step.hasLog],
    ['cancel', words.cancel, step.canCancel],
    ['runFrom', words.runFrom, step.canRun],
  ] as const) {
    if (isOffered) {
      const button = document.createElement('button');
      button.id = `${action}-${step.name}`;
      button.textContent = label;
      button.setAttribute('aria-label', `${label}: ${step.name}`);
      button.addEventListener('click', () => act(action));
      actions.append(button);
    }
  }
  box.append(title, ...lines, actions);
  return box;
}
