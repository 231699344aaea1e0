// Days on which a schedule of a test starts nothing.

/** Bits of `days` of a rule without yesterday, today and tomorrow, in UTC: Monday is bit 0. */
export const OTHER_DAYS = [2, 3, 4, 5].reduce(
  (bits, later) => bits | (1 << ((new Date().getUTCDay() + 6 + later) % 7)),
  0
)
