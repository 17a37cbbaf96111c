import { barNumber } from './python-text.ts';

/** What one state of a tqdm bar shows. */
export interface BarState {
  label: string;
  done: number;
  total: number | undefined;
  seconds: number;
  /** `k=v` pairs behind the rate; numbers are formatted as Lightning does. */
  postfix: Record<string, number | string>;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
}

const WIDTH = 10;

/** tqdm's bar of ten cells; without a UTF-8 stream its last cell is a digit. */
function cells(share: number, utf8: boolean): string {
  const charset = utf8 ? ' ▏▎▍▌▋▊▉█' : ' 123456789#';
  const steps = charset.length - 1;
  const filled = Math.floor(share * WIDTH * steps);
  const full = Math.floor(filled / steps);
  const part = filled % steps;
  const head = charset.charAt(steps).repeat(full);
  return full >= WIDTH ? head : (head + charset.charAt(part)).padEnd(WIDTH);
}

/** A tqdm bar with Lightning's format (contract part 3, samples 4 and 5). */
export function progressBar({ label, done, total, seconds, postfix }: BarState, utf8 = false): string {
  const pairs = Object.entries(postfix).map(
    ([key, value]) => `, ${key}=${typeof value === 'number' ? barNumber(value) : value}`,
  );
  const rate = done > 0 && seconds > 0 ? done / seconds : undefined;
  const speed = rate === undefined ? '?it/s' : `${rate.toFixed(2).padStart(5)}it/s`;
  if (total === undefined)
    return `${label}: |${' '.repeat(WIDTH)}| ${done}/? [${clock(seconds)}<?, ${speed}${pairs.join('')}]`;
  const share = total === 0 ? 0 : done / total;
  const percent = String(Math.round(share * 100)).padStart(3);
  const left = rate === undefined ? '?' : clock((total - done) / rate);
  return `${label}: ${percent}%|${cells(share, utf8)}| ${done}/${total} [${clock(seconds)}<${left}, ${speed}${pairs.join('')}]`;
}
