// Finds waits for time in tests: sleeps, durations that are measured, and time limits of their own.
import { isCode } from './sources.ts'

export interface Wait {
  line: number
  /** The test, or the function outside of a test, that waits. */
  title: string
  text: string
}

/** The number of arguments of a call whose opening parenthesis is at `start`, and the second one. */
function secondArgument(text: string, start: number): string {
  let depth = 0
  let second: number | undefined
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) {
      depth--
      if (depth === 0) return second === undefined ? '' : text.slice(second, at).trim()
    } else if (character === ',' && depth === 1) second ??= at + 1
  }
  return ''
}

const TIMER = /(?<![\w.#]|function )(?:globalThis\.)?setTimeout\(/g
const OTHERS: readonly RegExp[] = [
  /from 'node:timers\/promises'/g,
  /\bwaitForTimeout\(/g,
  /\bAtomics\.wait\([^)]*,[^)]*,[^)]*,/g,
  /\bdo sleep\b|['"`; ]sleep [\d.]/g,
  // Durations.
  /(?<!function )\bownTime\(/g,
  /\b(?:performance|Date)\.now\(\) - (?!age\b)[a-z]\w*(?! \* \d)/g,
  /\b(?:while|for) \([^\n]*(?:performance|Date)\.now\(\)/g,
  // Time limits of Playwright and of requests.
  /\bsetDefaultTimeout\((?!LIMIT\))/g,
  /\{ timeout: [\d_A-Z]+ \}/g,
  /\bAbortSignal\.timeout\(/g
]

const HEAD =
  /^ {0,2}(?:test|soak)\((?:'(.*?)'|"(.*?)"|`(.*?)`),|^(?:export )?(?:async )?(?:function|const|class) (\w+)/gm

function titleAt(text: string, position: number): string {
  let title = ''
  for (const match of text.slice(0, text.indexOf('\n', position)).matchAll(HEAD))
    title = match.slice(1).find(Boolean) ?? ''
  return title
}

/** The waits in the text of a file. Timers of a file that moves them by `mock.timers` are not waits. */
export function findWaits(text: string): Wait[] {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, (comment) => ' '.repeat(comment.length))
  const moved = /mock\.timers\.enable\(\{ apis: \[[^\]]*'setTimeout'/.test(code)
  const positions = [
    ...(moved
      ? []
      : [...code.matchAll(TIMER)].filter(
          (match) => !/^0?$/.test(secondArgument(code, match.index + match[0].length - 1))
        )),
    ...OTHERS.flatMap((pattern) => [...code.matchAll(pattern)])
  ].map(({ index }) => index)
  return positions
    .sort((a, b) => a - b)
    .map((position) => ({
      line: text.slice(0, position).split('\n').length,
      title: titleAt(code, position),
      text: (text.slice(text.lastIndexOf('\n', position) + 1).split('\n')[0] ?? '').trim()
    }))
}

/** Files with tests or what tests use, but for the runner and the helpers that wait and measure for all of them. */
export const mustNotWait = (path: string) =>
  isCode(path) &&
  path.startsWith('test/') &&
  !/^test\/(kit\/(runner\/|until\.|own-time\.)|soak\/|run\.mjs|house\/waits\.)/.test(path)
