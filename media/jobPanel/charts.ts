import uPlot from 'uplot';
import type { PanelJob, PanelSeries } from '../../src/ui/jobPanel/protocol.ts';
import type { View } from './keptView.ts';

interface Curve {
  readonly label: string;
  readonly series: PanelSeries;
}

interface Chart {
  readonly key: string;
  readonly labels: string;
  readonly plot: uPlot;
  readonly box: HTMLElement;
}

const HEIGHT = 260;
const MAX_POINTS = 60;
const COLOURS = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

/** The charts of the panel: curves of one kind and axis share one, whichever job they belong to. */
export class Charts {
  readonly #host: HTMLElement;
  readonly #view: View;
  readonly #viewChanged: () => void;
  #charts: Chart[] = [];
  #jobs: readonly PanelJob[] = [];

  /** Draws as `view` says, and changes that as the user hides curves and zooms. */
  constructor(host: HTMLElement, view: View, viewChanged: () => void) {
    this.#host = host;
    this.#view = view;
    this.#viewChanged = viewChanged;
  }

  show(jobs: readonly PanelJob[]): void {
    this.#jobs = jobs;
    const groups = group(jobs);
    for (const chart of this.#charts.filter(({ key, labels }) => labelsOf(groups.get(key)) !== labels)) {
      chart.plot.destroy();
      chart.box.remove();
      this.#charts.splice(this.#charts.indexOf(chart), 1);
    }
    for (const [key, curves] of groups) {
      const known = this.#charts.find((chart) => chart.key === key);
      if (known === undefined) {
        this.#charts.push(this.#draw(key, curves));
      } else {
        this.#setData(known, align(curves));
      }
    }
  }

  resize(): void {
    for (const { plot } of this.#charts) {
      plot.setSize({ width: this.#width(), height: HEIGHT });
    }
  }

  /** Draws everything again: the colours come from the theme. */
  recolour(): void {
    for (const { plot, box } of this.#charts) {
      plot.destroy();
      box.remove();
    }
    this.#charts = [];
    this.show(this.#jobs);
  }

  /** All charts below each other as one PNG, in base64; undefined when there is none. */
  toPng(): string | undefined {
    const canvases = this.#charts.map(({ plot }) => plot.ctx.canvas);
    if (canvases.length === 0) {
      return undefined;
    }
    const picture = document.createElement('canvas');
    picture.width = Math.max(...canvases.map(({ width }) => width));
    picture.height = canvases.reduce((height, canvas) => height + canvas.height, 0);
    const context = picture.getContext('2d');
    if (context === null) {
      return undefined;
    }
    context.fillStyle = theme('--vscode-editor-background', '#ffffff');
    context.fillRect(0, 0, picture.width, picture.height);
    let top = 0;
    for (const canvas of canvases) {
      context.drawImage(canvas, 0, top);
      top += canvas.height;
    }
    return picture.toDataURL('image/png').split(',')[1];
  }

  /** Shows other numbers, in the part of the axis that is zoomed to. */
  #setData({ key, plot }: Chart, data: uPlot.AlignedData): void {
    plot.batch(() => {
      plot.setData(data);
      this.#zoom(key, plot);
    });
  }

  #zoom(key: string, plot: uPlot): void {
    const zoom = this.#view.zoom[key];
    if (zoom !== undefined) {
      plot.setScale('x', { min: zoom[0], max: zoom[1] });
    }
  }

  /** Notes which part of the axis is shown. */
  #scaled(key: string, { data: [xs], scales }: uPlot): void {
    const { [key]: before, ...others } = this.#view.zoom;
    const { min, max } = scales.x ?? {};
    const [first, last] = [xs[0], xs.at(-1)];
    if (min == null || max == null || first === undefined || last === undefined) {
      return;
    }
    const isZoomed = min > first || max < last;
    if (isZoomed ? before?.[0] !== min || before[1] !== max : before !== undefined) {
      this.#view.zoom = isZoomed ? { ...others, [key]: [min, max] } : others;
      this.#viewChanged();
    }
  }

  /** Notes which curves are shown. */
  #switched(curves: readonly Curve[], { series }: uPlot): void {
    const own = new Set(curves.map(({ label }) => label));
    const hidden = curves.flatMap(({ label }, at) => (series[at + 1]?.show === false ? [label] : []));
    this.#view.hidden = [...this.#view.hidden.filter((label) => !own.has(label)), ...hidden];
    this.#viewChanged();
  }

  #draw(key: string, curves: readonly Curve[]): Chart {
    const box = document.createElement('figure');
    const title = curves[0]?.series.chart ?? '';
    box.setAttribute('aria-label', `${title}: ${curves.map(({ label }) => label).join(', ')}`);
    this.#host.append(box);
    const text = theme('--vscode-foreground', '#333333');
    const grid = { stroke: theme('--vscode-editorIndentGuide-background1', '#88888844'), width: 1 };
    const plot = new uPlot(
      {
        title,
        width: this.#width(),
        height: HEIGHT,
        scales: { x: { time: false } },
        hooks: {
          setScale: [(plot, scale) => (scale === 'x' ? this.#scaled(key, plot) : undefined)],
          setSeries: [(plot, _, { show }) => (show === undefined ? undefined : this.#switched(curves, plot))],
        },
        // a curve that has a value only now and then tells the nearest one
        cursor: { dataIdx: (plot, series, at) => nearestValue(plot.data[series], at) },
        axes: [
          { stroke: text, grid, label: curves[0]?.series.axis ?? '', labelSize: 20 },
          { stroke: text, grid, size: 64 },
        ],
        series: [
          { label: curves[0]?.series.axis ?? '' },
          ...curves.map(({ label }, index) => ({
            label,
            show: !this.#view.hidden.includes(label),
            stroke: theme(`--vscode-charts-${COLOURS[index % COLOURS.length]}`, '#3794ff'),
            // the seventh curve has the first one's colour, dashed
            dash: index >= COLOURS.length ? [6, 4] : [],
            width: 1.6,
            spanGaps: true,
            // so many points would hide the line
            points: { show: (plot: uPlot, at: number) => countValues(plot.data[at]) <= MAX_POINTS },
          })),
        ],
      },
      align(curves),
      box,
    );
    this.#zoom(key, plot);
    return { key, labels: labelsOf(curves), plot, box };
  }

  #width(): number {
    return Math.max(280, this.#host.clientWidth - 16);
  }
}

function group(jobs: readonly PanelJob[]): Map<string, Curve[]> {
  const groups = new Map<string, Curve[]>();
  for (const job of jobs) {
    for (const series of job.series) {
      const key = `${series.chart} ${series.axis}`;
      const label = jobs.length > 1 ? `${series.name} (${job.id})` : series.name;
      groups.set(key, [...(groups.get(key) ?? []), { label, series }]);
    }
  }
  return groups;
}

function labelsOf(curves: readonly Curve[] | undefined): string {
  return (curves ?? []).map(({ label }) => label).join('\n');
}

/** uPlot wants all curves of a chart over one row of x values. */
function align(curves: readonly Curve[]): uPlot.AlignedData {
  const xs = [...new Set(curves.flatMap(({ series }) => [...series.x]))].sort((a, b) => a - b);
  const at = new Map(xs.map((x, index) => [x, index]));
  const rows = curves.map(({ series }) => {
    const row: (number | null)[] = new Array(xs.length).fill(null);
    for (const [index, x] of series.x.entries()) {
      row[at.get(x) ?? 0] = series.y[index] ?? null;
    }
    return row;
  });
  return [xs, ...rows];
}

/** The index of the value that is nearest to `at`; `at` itself where a curve has none. */
function nearestValue(row: uPlot.AlignedData[number] | undefined, at: number): number {
  const length = row?.length ?? 0;
  for (let distance = 0; distance < length; distance++) {
    const near = [at - distance, at + distance].find((index) => typeof row?.[index] === 'number');
    if (near !== undefined) {
      return near;
    }
  }
  return at;
}

function countValues(row: uPlot.AlignedData[number] | undefined): number {
  let count = 0;
  for (const value of row ?? []) {
    count += value === null || value === undefined ? 0 : 1;
  }
  return count;
}

function theme(variable: string, otherwise: string): string {
  return getComputedStyle(document.body).getPropertyValue(variable).trim() || otherwise;
}
