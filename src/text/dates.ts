// Times and lengths of time as people read them, in the present language.
import { inLanguage, locale, type Translation, t } from './language.ts'

const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'medium', hourCycle: 'h23' }

const times = inLanguage((locale) => new Intl.DateTimeFormat(locale, TIME))
const datesAndTimes = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...TIME }))

/** The exact time, to the second. @param ms milliseconds since the epoch */
export function dateTime(ms: number): string {
  return datesAndTimes().format(ms)
}

/** The time of day, to the second. @param ms milliseconds since the epoch */
export function timeOfDay(ms: number): string {
  return times().format(ms)
}

/** A day of the week, short. @param day 0-6, from Monday on */
export function weekday(day: number): string {
  // The fifth day of 1970 was a Monday.
  return new Date(1970, 0, day + 5).toLocaleDateString(locale(), { weekday: 'short' })
}

const TEXT = {
  d: ['{0} d', '{0} 天'],
  h: ['{0} h', '{0} 小时'],
  min: ['{0} min', '{0} 分'],
  s: ['{0} s', '{0} 秒'],
  ago: ['{0} ago', '{0}前']
} as const satisfies Record<string, Translation>

const PARTS = [
  [TEXT.d, 86_400],
  [TEXT.h, 3600],
  [TEXT.min, 60],
  [TEXT.s, 1]
] as const

/** The two largest parts of a length of time: '3 h 12 min'. @param seconds below 0 counts as 0 */
export function duration(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds))
  const first = PARTS.findIndex(([, size]) => left >= size)
  if (first < 0) return t(TEXT.s, 0)
  const said: string[] = []
  for (const [pair, size] of PARTS.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left %= size
    if (count > 0) said.push(t(pair, count))
  }
  return said.join(' ')
}

/** '12 s ago'. */
export function ago(seconds: number): string {
  return t(TEXT.ago, duration(seconds))
}
