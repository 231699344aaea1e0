// Finds waits for time in tests: sleeps, assertions of a duration, and time limits of a test's own.
import { isCode } from './sources.ts'

export interface Wait {
  line: number
  /** The test, or the function outside of a test, that waits. */
  title: string
  text: string
}

const WAITS: readonly RegExp[] = [
  // Sleeps.
  /\bnew Promise(?:<\w+>)?\(\(?\w+\)? => (?:void )?(?:globalThis\.)?setTimeout\((?!\w+\)|\w+, 0\))/g,
  /from 'node:timers\/promises'/g,
  /\b(?:sleep|delay|pause|wait)\(\d/g,
  /\bwaitForTimeout\(/g,
  /\buntil\(\(\) => (?:performance|Date)\.now\(\) - /g,
  /(?:\bdo|;) sleep\b/g,
  // Loops of their own.
  /\b(?:while|for) \([^\n]*(?:performance|Date)\.now\(\) <[^\n]*[^;\n]$/gm,
  // Durations. The machine only lengthens them, so that a lower bound may be asserted anywhere.
  /(?<!function )\bownTime\(/g,
  /\bperformance\.now\(\) - \w+ </g,
  // Time limits.
  /\bsetDefaultTimeout\((?!LIMIT\))/g,
  /\.\w+\([^\n]*\{ timeout: [\d_A-Z]+ \}\)/g
]

const HEAD =
  /^ {0,2}(?:test|soak|journey)\((?:'(.*?)'|"(.*?)"|`(.*?)`),|^(?:export )?(?:async )?(?:function|const|class) (\w+)/gm

function titleAt(text: string, position: number): string {
  const heads = [...text.slice(0, text.indexOf('\n', position)).matchAll(HEAD)]
  return heads.at(-1)?.slice(1).find(Boolean) ?? ''
}

/** The waits in the text of a file. Timers of a file that moves them with `mock.timers` are not waits. */
export function findWaits(text: string): Wait[] {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, (comment) => ' '.repeat(comment.length))
  const isMoved = /mock\.timers\.enable\(\{ apis: \[[^\]]*'setTimeout'/.test(code)
  return WAITS.slice(isMoved ? 1 : 0)
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => ({
      line: text.slice(0, index).split('\n').length,
      title: titleAt(code, index),
      text: text.slice(text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index)).trim()
    }))
}

/**
 * Test files and the files that they use, except the runner, the helpers that wait and measure for all tests, the
 * tests of `make soak`, which take many minutes, and `make shots`, which takes pictures.
 */
export const mustNotWait = (path: string) =>
  isCode(path) &&
  path.startsWith('test/') &&
  !/^test\/(kit\/(runner\/|until\.|own-time\.)|soak\/|shots\/|run\.mjs|house\/waits\.)/.test(path)
