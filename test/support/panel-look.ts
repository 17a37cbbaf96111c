import * as z from 'zod/mini';

/** What a person sees in a job panel at one moment. */
export const panelLook = z.object({
  cards: z.array(
    z.object({
      title: z.string(),
      progress: z.string(),
      facts: z.array(z.string()),
      buttons: z.array(z.string()),
      problem: z.string(),
    }),
  ),
  /** What a panel says of itself: what it misses, or how its plan stands. */
  notice: z.string(),
  charts: z.array(
    z.object({
      label: z.string(),
      /** How many pixels are drawn. */
      ink: z.number(),
      legend: z.array(z.object({ text: z.string(), shown: z.boolean() })),
    }),
  ),
  /** The newest values, for those who can't see a curve. */
  table: z.array(z.string()),
  /** The steps of a plan's graph, each with how it stands. */
  steps: z.array(z.string()),
  /** How much of a plan's graph has to be scrolled to. */
  hiddenPixels: z.number(),
  /** The id of the element that has the focus. */
  focused: z.string(),
  background: z.string(),
});

export type PanelLook = z.infer<typeof panelLook>;
