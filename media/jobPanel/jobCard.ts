import type { FromPage, PanelJob, PanelWords } from '../../src/ui/jobPanel/protocol.ts';

type JobAction = Extract<FromPage, { kind: 'action' }>['action'];

/** What is known of one job: progress, facts, what went wrong, and where to go from here. */
export function jobCard(job: PanelJob, words: PanelWords, act: (action: JobAction) => void): HTMLElement {
  const card = element('section', 'job');
  card.setAttribute('aria-label', job.title);
  const title = element('h2', '');
  title.textContent = job.title;
  const state = element('span', `state ${job.state.toLowerCase()}`);
  state.textContent = job.state;
  title.append(' ', state);
  card.append(title, progress(job));
  if (job.notice !== '') {
    const notice = element('p', 'notice');
    notice.textContent = job.notice;
    card.append(notice);
  }
  if (job.problem !== undefined) {
    const problem = element('div', 'problem');
    problem.setAttribute('role', 'alert');
    const sentence = element('strong', '');
    sentence.textContent = job.problem.sentence;
    const advice = element('p', '');
    advice.textContent = job.problem.advice;
    problem.append(sentence, advice);
    if (job.problem.action !== undefined) {
      const fix = document.createElement('button');
      fix.id = `fix-${job.id}`;
      fix.textContent = job.problem.action;
      fix.addEventListener('click', () => act('fix'));
      problem.append(fix);
    }
    card.append(problem);
  }
  const facts = element('dl', '');
  for (const { label, value } of job.facts) {
    const term = element('dt', '');
    term.textContent = label;
    const detail = element('dd', '');
    detail.textContent = value;
    const pair = element('div', '');
    pair.append(term, detail);
    facts.append(pair);
  }
  const actions = element('p', 'actions');
  for (const [action, label] of [
    ['openLog', words.openLog],
    ['openSpec', words.openSpec],
    ['results', words.results],
    ['compare', words.compare],
  ] as const) {
    const button = document.createElement('button');
    button.id = `${action}-${job.id}`;
    button.textContent = label;
    button.addEventListener('click', () => act(action));
    actions.append(button);
  }
  card.append(facts, actions);
  return card;
}

function progress(job: PanelJob): HTMLElement {
  const box = element('p', 'progress');
  const bar = document.createElement('progress');
  if (job.progress !== undefined) {
    bar.value = job.progress;
  }
  bar.max = 1;
  bar.setAttribute('aria-label', job.progressText);
  const text = element('span', '');
  text.textContent = job.progressText;
  // read out when it changes, without interrupting
  text.setAttribute('aria-live', 'polite');
  if (job.progress !== undefined || job.state === 'RUNNING' || job.state === 'PENDING') {
    box.append(bar, ' ');
  }
  box.append(text);
  return box;
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
