// Names of browser and operating system from a User-Agent header.
import { type Language, type Translation, translate } from './language.ts'

const TEXT = {
  on: ['{0} on {1}', '{1} 上的 {0}'],
  unknown: ['Unknown browser', '未知浏览器']
} as const satisfies Record<string, Translation>

// The order matters: browsers also include the names of browsers further down in their User-Agent.
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

/** 'Firefox on Windows'; the header itself for other clients. @param agent User-Agent header, possibly truncated */
export function browserText(language: Language, agent: string): string {
  if (!agent) return translate(language, TEXT.unknown)
  const findName = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([, pattern]) => pattern.test(agent))?.[0]
  const browser = findName(BROWSERS)
  const system = findName(SYSTEMS)
  return browser && system ? translate(language, TEXT.on, [browser, system]) : (browser ?? agent)
}
