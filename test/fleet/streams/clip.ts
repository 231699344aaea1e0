// A small, short clip like those of the fleet, and helpers for the processes that send and receive it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'uvu'
import { encodeArguments } from '../../../fleet/streams/media.ts'
import { childrenOf, commandLineOf } from '../../kit/system-processes.ts'

export const run = promisify(execFile)

/** Temporary folder of the suite, and the clip in it. */
export let folder: string
export let clip: string

/** Encodes the clip before the tests of a suite, and deletes it after them. */
export function provideClip(test: Pick<Test, 'before' | 'after'>): void {
  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleet-'))
    clip = join(folder, 'clip.ts')
    await run('ffmpeg', encodeArguments({ picture: 'testsrc2=size=160x90:rate=25', tone: 440, length: 8 }, clip))
  })
  test.after(() => rmSync(folder, { recursive: true }))
}

/** Process ids of the ffmpeg processes of this process, without the one that the test started itself. */
export const ffmpegProcesses = (own: number | undefined): number[] =>
  childrenOf(process.pid).filter((pid) => pid !== own && /^[^\0]*ffmpeg\0/.test(commandLineOf(pid)))
