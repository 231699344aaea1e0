// What a browser calls itself, in plain words.
import { type Pair, t } from './language.ts'

const TEXT = {
  on: ['{0} on {1}', '{1} 上的 {0}'],
  unknown: ['Unknown browser', '未知浏览器']
} as const satisfies Record<string, Pair>

// In this order: those below call themselves what stands above them besides.
const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//]
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/]
] as const

/** 'Firefox on Windows'; what is no browser is called as it calls itself. @param agent the User-Agent header, perhaps cut short */
export function browserText(agent: string | undefined): string {
  if (!agent) return t(TEXT.unknown)
  const named = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([, sign]) => sign.test(agent))?.[0]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  return browser && system ? t(TEXT.on, browser, system) : (browser ?? agent)
}
