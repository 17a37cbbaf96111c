import type { FromPage, PanelJob, PanelWords, ToPage } from '../../src/ui/jobPanel/protocol.ts';
import { Charts } from './charts.ts';
import { toCsv } from './exportCsv.ts';
import { jobCard } from './jobCard.ts';
import { keptView } from './keptView.ts';

interface Host {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const cards = required('jobs');
const table = required('table');
const view = keptView(host.getState());
const charts = new Charts(required('charts'), view, keep);
let words: PanelWords | undefined;
let jobs: readonly PanelJob[] = [];
let jobIds: readonly string[] = [];
let missing: readonly string[] = [];

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  const message = event.data;
  if (message.kind === 'words') {
    words = message.words;
  } else {
    ({ jobIds, jobs, missing } = message);
    keep();
  }
  show();
});
window.addEventListener('resize', () => charts.resize());
new MutationObserver(() => charts.recolour()).observe(document.body, { attributeFilter: ['class'] });
required('csv').addEventListener('click', () => save('csv', btoaUtf8(toCsv(jobs))));
required('png').addEventListener('click', () => {
  const png = charts.toPng();
  if (png !== undefined) {
    save('png', png);
  }
});
host.postMessage({ kind: 'ready' });

/** So that the panel finds its jobs again, as they were looked at, after it was hidden or the window reloaded. */
function keep(): void {
  host.setState({ ...view, jobIds });
}

function show(): void {
  const known = words;
  if (known === undefined) {
    return;
  }
  const focused = document.activeElement?.id;
  cards.replaceChildren(
    ...jobs.map((job) =>
      jobCard(job, known, (action) => host.postMessage({ kind: 'action', action, jobId: job.id })),
    ),
  );
  if (focused !== undefined && focused !== '') {
    document.getElementById(focused)?.focus();
  }
  required('csv').textContent = known.exportCsv;
  required('png').textContent = known.exportPng;
  const any = jobs.some((job) => job.series.length > 0);
  required('empty').textContent = missing.length > 0 ? missing.join(' ') : any ? '' : known.noCurves;
  required('exports').hidden = !any;
  table.hidden = !any;
  charts.show(jobs);
  showTable(known);
}

/** The newest value of every curve, for those who can't see one. */
function showTable({ latest, name, value }: PanelWords): void {
  const caption = document.createElement('caption');
  caption.textContent = latest;
  const head = row('th', [name, value]);
  const rows = jobs.flatMap((job) =>
    job.series.map((series) => {
      const last = series.y.findLast((y) => y !== null);
      const label = jobs.length > 1 ? `${job.id}: ${series.name}` : series.name;
      return row('td', [label, last === undefined ? '–' : String(Number(last.toPrecision(5)))]);
    }),
  );
  table.replaceChildren(caption, head, ...rows);
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

function save(format: 'csv' | 'png', base64: string): void {
  host.postMessage({ kind: 'save', format, name: jobs.map(({ id }) => id).join('-'), base64 });
}

function btoaUtf8(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}

function required(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no ${id}`);
  }
  return element;
}
