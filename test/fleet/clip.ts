// A clip as the fleet makes them, but small and short, and what looks at programs that carry it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'uvu'
import { encodeArguments } from '../../fleet/media.ts'
import { childrenOf, commandOf } from '../kit/system-processes.ts'

export const run = promisify(execFile)

/** A folder of the suite's own, and the clip in it. */
export let folder: string
export let clip: string

/** Has the clip be there while the tests of a suite run. */
export function clipFor(test: Pick<Test, 'before' | 'after'>): void {
  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleet-'))
    clip = join(folder, 'clip.ts')
    await run('ffmpeg', encodeArguments({ picture: 'testsrc2=size=160x90:rate=25', tone: 440, length: 8 }, clip))
  })
  test.after(() => rmSync(folder, { recursive: true }))
}

/** Each ffmpeg of this process but the one that the test runs itself. */
export const carriers = (own: number | undefined): number[] =>
  childrenOf(process.pid).filter((pid) => pid !== own && /^[^\0]*ffmpeg\0/.test(commandOf(pid)))
