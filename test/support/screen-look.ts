import * as z from 'zod/mini';

const notification = z.object({
  severity: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  buttons: z.array(z.string()),
});

const treeRow = z.object({
  label: z.string(),
  description: z.string(),
  /** The icon's name, such as `vm-running`. */
  icon: z.string(),
  /** What a screen reader says. */
  spoken: z.string(),
  level: z.number(),
  selected: z.boolean(),
});

const view = z.object({
  /** The view's id with hyphens for dots. */
  id: z.string(),
  title: z.string(),
  /** Beside the title. */
  description: z.string(),
  expanded: z.boolean(),
  message: z.string(),
  rows: z.array(treeRow),
  welcome: z.nullable(z.object({ text: z.string(), buttons: z.array(z.string()) })),
});

/** What a person sees in a window of VS Code at one moment. */
export const look = z.object({
  /** Grows with each change of the window. */
  version: z.number(),
  notifications: z.array(notification),
  /** The texts of all notifications that popped up since they were last forgotten, also those that went again. */
  toasts: z.array(z.string()),
  dialog: z.nullable(z.object({ message: z.string(), detail: z.string(), buttons: z.array(z.string()) })),
  quickInput: z.nullable(
    z.object({
      title: z.string(),
      placeholder: z.string(),
      value: z.string(),
      password: z.boolean(),
      /** The prompt, or what is wrong with the value. */
      message: z.string(),
      invalid: z.boolean(),
      /** Loading, or a list without rows. */
      busy: z.boolean(),
      buttons: z.array(z.string()),
      /** As a screen reader says them: label, description and detail. */
      rows: z.array(z.string()),
    }),
  ),
  statusBar: z.array(z.object({ id: z.string(), text: z.string(), spoken: z.string(), icon: z.string() })),
  views: z.array(view),
  menu: z.array(z.string()),
  hover: z.string(),
  /** The lines that are seen in the Output panel. */
  output: z.string(),
});

export type Look = z.infer<typeof look>;
export type SeenNotification = z.infer<typeof notification>;
export type SeenRow = z.infer<typeof treeRow>;
export type SeenView = z.infer<typeof view>;
