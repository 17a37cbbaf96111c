import * as z from 'zod/mini';

/** Where something is on the screen: the first element that fits all parts. */
const place = z.object({
  css: z.string(),
  /** A text that the element contains. */
  has: z.optional(z.string()),
  /** A part of it, by its role and exact name. */
  role: z.optional(z.enum(['button', 'link', 'menuitem', 'tab'])),
  name: z.optional(z.string()),
  /** In the page of the open webview. */
  webview: z.optional(z.boolean()),
});
export type Place = z.infer<typeof place>;

const action = z.discriminatedUnion('do', [
  z.object({ do: z.literal('look'), after: z.number(), waitMs: z.number() }),
  z.object({ do: z.literal('drawn') }),
  /** What is seen in the job panel that is open. */
  z.object({ do: z.literal('panel') }),
  z.object({ do: z.literal('forgetToasts') }),
  /** Dialogs and toasts, which a workbench that runs tests doesn't show. */
  z.object({ do: z.literal('showAll'), wanted: z.boolean() }),
  z.object({
    do: z.literal('click'),
    place,
    button: z.enum(['left', 'right']),
    modifiers: z.array(z.literal('ControlOrMeta')),
  }),
  z.object({ do: z.literal('hover'), place }),
  /** Drags over the middle of something, from one part of its width to another. */
  z.object({ do: z.literal('drag'), place, from: z.number(), to: z.number() }),
  z.object({ do: z.literal('fill'), place, text: z.string() }),
  z.object({ do: z.literal('key'), key: z.string() }),
  /** Whether the window believes that it has the focus. */
  z.object({ do: z.literal('focus'), focused: z.boolean() }),
  z.object({ do: z.literal('picture'), file: z.string() }),
  /** Opens a further window, on the same folder or another, with the extension and without tests; answers its number. */
  z.object({ do: z.literal('open'), folder: z.optional(z.string()) }),
  /** Reloads the window as a person does. */
  z.object({ do: z.literal('reload') }),
  z.object({ do: z.literal('close') }),
]);
export type ScreenAction = z.infer<typeof action>;

/** One line to the launcher, which holds the page. Window 0 is the one that the tests run in. */
export const screenRequest = z.object({ id: z.number(), window: z.number(), action });
export type ScreenRequest = z.infer<typeof screenRequest>;

/** One line back. */
export const screenAnswer = z.object({
  id: z.number(),
  value: z.optional(z.unknown()),
  error: z.optional(z.string()),
});
export type ScreenAnswer = z.infer<typeof screenAnswer>;

/** The socket in the run's folder. */
export const SCREEN_SOCKET = 'screen.sock';
