import type { ActionId } from '../../values/failure.ts';
import type { Message } from '../../values/message.ts';

/** A trouble in words: what happened, what helps, and whose fault it is (tao.md part 2, retry classes). */
export interface Explanation {
  readonly sentence: Message;
  readonly advice: Message;
  readonly errorClass: 'ERR_INFRA' | 'ERR_PROGRAM';
  readonly action?: ActionId;
}

/** The machine's or the network's fault: the same may work again. */
export function infra(sentence: Message, advice: Message, action?: ActionId): Explanation {
  return { sentence, advice, errorClass: 'ERR_INFRA', ...(action === undefined ? {} : { action }) };
}

/** The fault of the run itself: the same again fails again. */
export function program(sentence: Message, advice: Message, action?: ActionId): Explanation {
  return { sentence, advice, errorClass: 'ERR_PROGRAM', ...(action === undefined ? {} : { action }) };
}
