import type { PanelStep } from '../../src/ui/workflow/planProtocol.ts';
import { boxId } from './stepBox.ts';

const SVG = 'http://www.w3.org/2000/svg';
const HEAD = 6;

/** Draws a line from each step to those that need it, behind the boxes. */
export function arrows(drawing: Element, frame: Element, steps: readonly PanelStep[]): void {
  // what it measured before would keep the frame as wide as a longer plan was
  drawing.setAttribute('width', '0');
  drawing.setAttribute('height', '0');
  const origin = frame.getBoundingClientRect();
  drawing.setAttribute('width', String(frame.scrollWidth));
  drawing.setAttribute('height', String(frame.scrollHeight));
  const lines = steps.flatMap(({ name, needs }) => {
    const to = document.getElementById(boxId(name))?.getBoundingClientRect();
    return needs.flatMap((need) => {
      const from = document.getElementById(boxId(need))?.getBoundingClientRect();
      if (from === undefined || to === undefined) {
        return [];
      }
      const left = frame.scrollLeft - origin.left;
      const top = frame.scrollTop - origin.top;
      const start = { x: from.right + left, y: from.top + from.height / 2 + top };
      const end = { x: to.left + left, y: to.top + to.height / 2 + top };
      const middle = (start.x + end.x) / 2;
      const line = document.createElementNS(SVG, 'path');
      line.setAttribute(
        'd',
        [
          `M ${start.x} ${start.y} C ${middle} ${start.y} ${middle} ${end.y} ${end.x - HEAD} ${end.y}`,
          `M ${end.x} ${end.y} l ${-HEAD} ${-HEAD / 1.5} v ${HEAD * 1.33} z`,
        ].join(' '),
      );
      return [line];
    });
  });
  drawing.replaceChildren(...lines);
}
