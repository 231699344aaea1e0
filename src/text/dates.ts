// Formats times and durations in the current language.
import { inLanguage, locale, type Translation, t } from './language.ts'
import { number } from './numbers.ts'

const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'medium', hourCycle: 'h23' }

const times = inLanguage((locale) => new Intl.DateTimeFormat(locale, TIME))
const datesAndTimes = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...TIME }))

/** Date and time with seconds. @param ms Unix time in milliseconds */
export function dateTime(ms: number): string {
  return datesAndTimes().format(ms)
}

const fullDates = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }))

/** Date with the day of the week. @param ms Unix time in milliseconds */
export function fullDate(ms: number): string {
  return fullDates().format(ms)
}

/** Time of day with seconds. @param ms Unix time in milliseconds */
export function timeOfDay(ms: number): string {
  return times().format(ms)
}

const shortTimes = inLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' }))
const weekdaysAndTimes = inLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
)

/**
 * Time of day without seconds, of another day with its day of the week. @param ms Unix time in milliseconds, within a
 * week
 */
export function shortTime(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString()
  return (isToday ? shortTimes() : weekdaysAndTimes()).format(ms)
}

const datesAndShortTimes = inLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23'
    })
)

/** Date without the year, and time without seconds. @param ms Unix time in milliseconds */
export function dateAndShortTime(ms: number): string {
  return datesAndShortTimes().format(ms)
}

/**
 * Date and time without seconds. Within six days: the day of the week instead of the date. @param ms Unix time in
 * milliseconds
 */
export function appointment(ms: number): string {
  return ms - Date.now() < 6 * 86_400_000 ? shortTime(ms) : dateAndShortTime(ms)
}

/** Short name of a day of the week. @param day 0-6, 0 is Monday */
export function weekday(day: number): string {
  // 5 January 1970 was a Monday.
  return new Date(1970, 0, day + 5).toLocaleDateString(locale(), { weekday: 'short' })
}

/** Time zone of the browser, as in the IANA database. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  inLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }))
const calendarDates = inUtc({ dateStyle: 'medium' })
const calendarDays = inUtc({ weekday: 'short', month: 'short', day: 'numeric' })

/** Date in a calendar. @param local local time in milliseconds, as if it were UTC */
export const calendarDate = (local: number): string => calendarDates().format(local)

/** Day of the week and date without the year. @param local local time in milliseconds, as if it were UTC */
export const calendarDay = (local: number): string => calendarDays().format(local)

/** Hours and minutes, such as '09:30'. @param local local time in milliseconds, as if it were UTC */
export const calendarTime = (local: number): string => new Date(local).toISOString().slice(11, 16)

const TEXT = {
  d: ['{0} d', '{0} 天'],
  h: ['{0} h', '{0} 小时'],
  min: ['{0} min', '{0} 分'],
  s: ['{0} s', '{0} 秒'],
  ago: ['{0} ago', '{0}前'],
  lasting: ['for {0}', '已持续 {0}']
} as const satisfies Record<string, Translation>

const PARTS = [
  [TEXT.d, 86_400],
  [TEXT.h, 3600],
  [TEXT.min, 60],
  [TEXT.s, 1]
] as const

/**
 * A duration with its largest units: '3 h 12 min'. @param seconds a negative value counts as 0 @param units number of
 * units
 */
export function duration(seconds: number, units = 2): string {
  let left = Math.max(0, Math.floor(seconds))
  const first = PARTS.findIndex(([, size]) => left >= size)
  if (first < 0) return t(TEXT.s, 0)
  const parts: string[] = []
  for (const [pair, size] of PARTS.slice(first, first + units)) {
    const count = Math.floor(left / size)
    left %= size
    if (count > 0) parts.push(t(pair, count))
  }
  return parts.join(' ')
}

/** 'for 2 min 14 s'. */
export function lasting(seconds: number): string {
  return t(TEXT.lasting, duration(seconds))
}

/** '12 s ago'. */
export function ago(seconds: number): string {
  return t(TEXT.ago, duration(seconds))
}

/** '0.4 s ago', for ages of some seconds. */
export function shortAgo(seconds: number): string {
  return t(TEXT.ago, t(TEXT.s, number(Math.max(0, seconds), 1)))
}
