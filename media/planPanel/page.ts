import type {
  FromPlanPage,
  PanelPlan,
  PlanPanelWords,
  ToPlanPage,
} from '../../src/ui/workflow/planProtocol.ts';
import { arrows } from './arrows.ts';
import { stepBox } from './stepBox.ts';

interface Host {
  postMessage(message: FromPlanPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const steps = required('steps');
const inWords = details('words');
let uri: string | undefined;
let words: PlanPanelWords | undefined;
let plan: PanelPlan | undefined;
let problem = '';
let isKnown = false;

window.addEventListener('message', (event: MessageEvent<ToPlanPage>) => {
  const message = event.data;
  if (message.kind === 'words') {
    words = message.words;
  } else {
    tellNews(plan, message.plan);
    isKnown = true;
    ({ plan, problem } = message);
    uri = message.uri;
    keep();
  }
  show();
});
window.addEventListener('resize', draw);
inWords.open = wasOpen(host.getState());
inWords.addEventListener('toggle', keep);
host.postMessage({ kind: 'ready' });

/** So that the panel finds its plan again, as it was looked at, after it was hidden or the window reloaded. */
function keep(): void {
  if (uri !== undefined) {
    host.setState({ uri, inWords: inWords.open });
  }
}

function wasOpen(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'inWords' in state && state.inWords === true;
}

function show(): void {
  if (words === undefined || !isKnown) {
    return;
  }
  const known = words;
  const focused = document.activeElement?.id;
  required('title').textContent = plan?.title ?? '';
  required('summary').textContent = plan?.summary ?? (problem === '' ? known.nothing : problem);
  required('actions').replaceChildren(
    ...planButtons(known).map(([action, label]) => {
      const button = document.createElement('button');
      button.id = `plan-${action}`;
      button.textContent = label;
      button.addEventListener('click', () => host.postMessage({ kind: 'plan', action }));
      return button;
    }),
  );
  const columns = new Map<number, HTMLElement>();
  for (const step of plan?.steps ?? []) {
    const column = columns.get(step.column) ?? document.createElement('div');
    column.className = 'column';
    columns.set(step.column, column);
    column.append(
      stepBox(step, known, (action) => host.postMessage({ kind: 'step', action, step: step.name })),
    );
  }
  steps.replaceChildren(...[...columns].sort(([a], [b]) => a - b).map(([, column]) => column));
  required('inWords').textContent = known.table;
  inWords.hidden = plan === undefined;
  showTable(known);
  if (focused !== undefined && focused !== '') {
    document.getElementById(focused)?.focus();
  }
  draw();
}

function planButtons(
  known: PlanPanelWords,
): readonly (readonly ['run' | 'resume' | 'cancel' | 'open', string])[] {
  if (problem !== '') {
    return [];
  }
  return [
    ...(plan?.canResume === true ? [['resume', known.resume] as const] : []),
    ...(plan?.canRun === true ? [['run', known.run] as const] : []),
    ...(plan?.canCancel === true ? [['cancel', known.cancel] as const] : []),
    ['open', known.open] as const,
  ];
}

function draw(): void {
  arrows(required('arrows'), required('graph'), plan?.steps ?? []);
}

/** What changed, for who can't see it: read out without interrupting. */
function tellNews(before: PanelPlan | undefined, after: PanelPlan | undefined): void {
  const changed = (after?.steps ?? []).filter(({ name, phase }) =>
    before?.steps.some((step) => step.name === name && step.phase !== phase),
  );
  if (changed.length > 0) {
    required('news').textContent = changed.map(({ name, phaseWord }) => `${name}: ${phaseWord}`).join('. ');
  }
}

/** The graph for those who can't see it. */
function showTable({ needs, platform, state, step }: PlanPanelWords): void {
  const rows = (plan?.steps ?? []).map((each) =>
    row('td', [each.name, each.platform, each.phaseWord, each.needs.join(', ')]),
  );
  required('table').replaceChildren(row('th', [step, platform, state, needs]), ...rows);
}

function row(cell: 'th' | 'td', texts: readonly string[]): HTMLTableRowElement {
  const line = document.createElement('tr');
  for (const text of texts) {
    const element = document.createElement(cell);
    element.textContent = text;
    line.append(element);
  }
  return line;
}

function details(id: string): HTMLDetailsElement {
  const element = document.getElementById(id);
  if (!(element instanceof HTMLDetailsElement)) {
    throw new Error(`the page has no ${id} to unfold`);
  }
  return element;
}

function required(id: string): Element & { textContent: string | null } {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no ${id}`);
  }
  return element;
}
