// Formats numbers and units in the current language.
import { inLanguage } from './language.ts'

const formats = [0, 1, 2].map((digits) =>
  inLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }))
)

const fixedFormats = [0, 1, 2].map((digits) =>
  inLanguage(
    (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  )
)

/** Formats a number. @param digits maximum number of decimals */
export function number(value: number, digits: 0 | 1 | 2 = 0): string {
  return formats[digits]?.().format(value) ?? ''
}

/** Formats a number with all of its decimals, so that the values of a column are aligned. */
const fixed: typeof number = (value, digits = 0) => fixedFormats[digits]?.().format(value) ?? ''

/** Formats a value with the largest suitable unit and at most three significant digits: 0.42, 4.2, 42, 420. */
function scaled(value: number, step: number, units: readonly string[], from: number, format = number): string {
  let unitIndex = from
  let scaledValue = value
  while (scaledValue >= step && unitIndex < units.length - 1) {
    scaledValue /= step
    unitIndex++
  }
  return `${format(scaledValue, unitIndex === 0 || scaledValue >= 100 ? 0 : scaledValue >= 10 ? 1 : 2)} ${units[unitIndex]}`
}

const RATES = ['kbps', 'Mbps', 'Gbps']

/** @param kbps kilobits per second */
export function bitRate(kbps: number): string {
  return scaled(kbps, 1000, RATES, 0)
}

/** A bit rate for a column of them. @param kbps kilobits per second */
export function alignedBitRate(kbps: number): string {
  return scaled(kbps, 1000, RATES, 0, fixed)
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
