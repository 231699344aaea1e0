// The native programs that `make/native.sh --sanitized` builds: they end when they touch memory that is not theirs, or
// compute what C leaves undefined. Tests of what strangers send use them.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Launcher } from '../../../engine/interfaces/launcher.ts'

const programPath = (name: string): string =>
  fileURLToPath(new URL(`../../../build/sanitized/${name}`, import.meta.url))

export const SANITIZED_RELAY: string = programPath('headend-relay')
export const SANITIZED_SRT: string = programPath('headend-srt')

/** A launcher that keeps what the sanitizers report. The engine restarts a program that has ended. */
export function watchSanitizers(launcher: Launcher): Pick<Launcher, 'run'> & { assertNone(): void } {
  const reports: string[] = []
  return {
    run: (launch) =>
      launcher.run({
        ...launch,
        onEnd(lines) {
          const text = lines.join('\n')
          if (/Sanitizer|runtime error/.test(text)) reports.push(text)
          launch.onEnd(lines)
        }
      }),
    assertNone: () => assert.deepEqual(reports, [])
  }
}
