// What a browser calls itself, in plain words.
import { type Language, type Pair, say } from './language.ts'

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
export function browserText(language: Language, agent: string): string {
  if (!agent) return say(language, TEXT.unknown)
  const named = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([, sign]) => sign.test(agent))?.[0]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  return browser && system ? say(language, TEXT.on, [browser, system]) : (browser ?? agent)
}
