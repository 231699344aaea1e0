// Formats numbers and units in the current language.
import { inLanguage } from './language.ts'

const formats = [0, 1, 2].map((digits) =>
  inLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }))
)

/** Formats a number. @param digits maximum number of decimals */
export function number(value: number, digits: 0 | 1 | 2 = 0): string {
  return formats[digits]?.().format(value) ?? ''
}

/** Formats a value with the largest suitable unit and at most three significant digits: 0.42, 4.2, 42, 420. */
function scaled(value: number, step: number, units: readonly string[], from: number): string {
  let at = from
  let left = value
  while (left >= step && at < units.length - 1) {
    left /= step
    at++
  }
  return `${number(left, at === 0 || left >= 100 ? 0 : left >= 10 ? 1 : 2)} ${units[at]}`
}

const RATES = ['kbps', 'Mbps', 'Gbps']

/** @param kbps kilobits per second */
export function bitRate(kbps: number): string {
  return scaled(kbps, 1000, RATES, 0)
}

/** @param mbps megabits per second, the unit of the hub's traffic data */
export function megabits(mbps: number): string {
  return scaled(mbps, 1000, RATES, 1)
}

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB']

/** @param count bytes; 1 KB is 1024 B, as in the hub */
export function bytes(count: number): string {
  return scaled(count, 1024, BYTES, 0)
}

/** @param count megabytes of 1024 kilobytes */
export function megabytes(count: number): string {
  return scaled(count, 1024, BYTES, 2)
}

/** @param value 0-100 */
export function percent(value: number): string {
  return `${number(value)} %`
}

/** @param celsius degrees */
export function degrees(celsius: number): string {
  return `${number(celsius)} °C`
}
