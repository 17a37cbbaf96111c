import { type Message, message } from '../../values/message.ts';
import { type LaunchCheck, type LaunchState, lineOf } from './launchCheck.ts';

/** A line about one path, by the path. */
export interface NamedLine {
  readonly name: string;
  readonly check: LaunchCheck;
}

const MAX_LINES = 20;

/** At most twenty lines; the rest is told in one more, which is as bad as the worst of them. */
export function shortened(id: string, title: Message, lines: readonly NamedLine[]): readonly LaunchCheck[] {
  const rest = lines.slice(MAX_LINES);
  const shown = lines.slice(0, MAX_LINES).map(({ check }) => check);
  return rest.length === 0 ? shown : [...shown, summary(id, title, rest)];
}

function summary(id: string, title: Message, rest: readonly NamedLine[]): LaunchCheck {
  const line = lineOf(`${id}:more`, title);
  const of = (state: LaunchState) => rest.filter(({ check }) => check.state === state);
  const [failed, warned, skipped] = [of('failed'), of('warning'), of('skipped')];
  const [worst] = [...failed, ...warned, ...skipped];
  if (worst === undefined) {
    return line('passed', message('{0} more, all in order.', rest.length));
  }
  const { check, name } = worst;
  switch (check.state) {
    case 'failed':
      return line(
        'failed',
        message('{0} more, of which {1} are refused; the first is {2}.', rest.length, failed.length, name),
        check.fix,
      );
    case 'warning':
      return line(
        'warning',
        message('{0} more, {1} with a warning; the first is {2}.', rest.length, warned.length, name),
        check.fix,
      );
    case 'passed':
    case 'skipped':
      return line(
        'skipped',
        message('{0} more, of which {1} were not checked.', rest.length, skipped.length),
      );
  }
}
