/** Seconds of a Python timedelta's text, `0:01:02.345678` or `1 day, 2:03:04`; undefined when it is none. */
export function timedeltaSeconds(text: string): number | undefined {
  const [, days, hours, minutes, seconds] =
    /^(?:(-?\d{1,9}) days?, )?(\d{1,9}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? [];
  return hours === undefined
    ? undefined
    : Number(days ?? 0) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
