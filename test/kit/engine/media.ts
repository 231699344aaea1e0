// Real media for the stream tests: a small clip, processes that send it in a loop, and receivers that share no code
// with the engine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'

/** Clips of earlier runs. */
const cache = join(import.meta.dirname, '../../../build/clips')
const processes = new Set<ChildProcess>()
/** Paths of the clips of this file, by their length in seconds. */
const clips = new Map<number, string>()
let folder = ''

/**
 * Returns the path of a clip of 160 x 90 at 25 frames per second, H.264 with AAC and a key frame every half second. The
 * folder is that of this file. `cleanUpMedia` removes it.
 */
export function clipPath(seconds = 4): string {
  const known = clips.get(seconds)
  if (known) return known
  folder ||= mkdtempSync(join(tmpdir(), 'headend-media-'))
  const path = join(folder, seconds === 4 ? 'clip.ts' : `clip-${seconds}.ts`)
  copyFileSync(encodeClip(seconds), path)
  clips.set(seconds, path)
  return path
}

/** Encodes a clip, unless an earlier run has done so. */
function encodeClip(seconds: number): string {
  const args = [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=f=440:r=44100'],
    ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '12', '-pix_fmt', 'yuv420p'],
    // The stream of several threads depends on the number of processors.
    ...['-threads', '1', '-b:v', '200k', '-c:a', 'aac', '-b:a', '64k', '-f', 'mpegts']
  ]
  const path = join(cache, `${createHash('md5').update(args.join(' ')).digest('hex')}.ts`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  // Other test files may encode it at the same time.
  const unfinished = `${path}.${process.pid}`
  const encoder = spawnSync('ffmpeg', [...args, unfinished])
  if (encoder.status !== 0) throw new Error(`Cannot encode the clip: ${encoder.stderr}`)
  renameSync(unfinished, path)
  return path
}

export interface RunningProcess {
  /** Everything that the process has written to stdout and stderr. */
  output(): string
  /** Resolves with the exit code, or with null after a signal. */
  exited: Promise<number | null>
  pid: number
  isRunning(): boolean
  /** Sends a signal, by default SIGKILL, and waits for the exit. */
  kill(signal?: 'SIGTERM'): Promise<void>
}

/** Starts ffmpeg, or another program. `cleanUpMedia` kills it at the end of the suite. */
export function runProcess(args: readonly string[], program = 'ffmpeg'): RunningProcess {
  const child = spawn(program, program === 'ffmpeg' ? ['-hide_banner', '-nostdin', ...args] : args, {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  processes.add(child)
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    output += data
  })
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      processes.delete(child)
      resolve(code)
    })
  })
  return {
    output: () => output,
    exited,
    pid: child.pid ?? 0,
    isRunning: () => processes.has(child),
    async kill(signal) {
      child.kill(signal ?? 'SIGKILL')
      await exited
    }
  }
}

/** Sends the clip in an endless loop, without encoding. */
export function sendClip(format: 'mpegts' | 'flv', ...target: string[]): RunningProcess {
  const input = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath()]
  return runProcess([...input, '-c', 'copy', '-f', format, ...target])
}

export interface DecodedFrames {
  codec: string | undefined
  frameCount: number
  /** Number of frames with different content: more than one shows that the video is moving. */
  distinctFrames: number
  /** Everything that ffmpeg has written, for the messages of failed assertions. */
  log: string
}

/** Decodes the first `frames` frames of a stream. `inputOptions` are ffmpeg options before `-i`. */
export async function decodeFrames(
  url: string,
  frames = 10,
  inputOptions: readonly string[] = []
): Promise<DecodedFrames> {
  const decoder = runProcess([
    ...['-v', 'info', '-nostats', '-probesize', '200000', '-analyzeduration', '500000', ...inputOptions, '-i', url],
    ...['-map', '0:v:0', '-frames:v', String(frames), '-f', 'framemd5', '-']
  ])
  await decoder.exited
  const log = decoder.output()
  const hashes = [...log.matchAll(/^0,.*, *([0-9a-f]{32})$/gm)].map((match) => match[1] ?? '')
  return {
    codec: /Video: (\w+)/.exec(log)?.[1],
    frameCount: hashes.length,
    distinctFrames: new Set(hashes).size,
    log
  }
}

export interface Receiver {
  bytes(): number
  /** The longest time between two chunks since the start of the stream, in milliseconds. */
  longestGapMs(): number
  isRunning(): boolean
}

/**
 * Starts a receiver that runs until the end of the suite and measures what arrives. `inputOptions` are ffmpeg options
 * before `-i`.
 */
export function startReceiver(url: string, inputOptions: readonly string[] = []): Receiver {
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-probesize', '32', '-analyzeduration', '0', ...inputOptions],
      ...['-f', 'data', '-i', url, '-map', '0', '-c', 'copy', '-f', 'data', '-flush_packets', '1', 'pipe:1']
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] }
  )
  processes.add(child)
  child.on('close', () => processes.delete(child))
  let bytes = 0
  let longestGapMs = 0
  let lastChunkAt: number | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    const now = performance.now()
    if (lastChunkAt !== undefined) longestGapMs = Math.max(longestGapMs, now - lastChunkAt)
    // Gaps count after the first null packets, which are followed by a wait for a key frame.
    if (bytes > 1316) lastChunkAt = now
    bytes += chunk.length
  })
  return { bytes: () => bytes, longestGapMs: () => longestGapMs, isRunning: () => processes.has(child) }
}

/** Provides the clip before the tests of a suite, and ends all processes after them. */
export function setUpMedia(test: Pick<Test, 'before' | 'after'>): void {
  test.before(() => {
    clipPath()
  })
  test.after(cleanUpMedia)
}

/** Ends all processes that the tests have started, and removes the clips. */
export async function cleanUpMedia(): Promise<void> {
  if (folder) rmSync(folder, { recursive: true })
  folder = ''
  clips.clear()
  await Promise.all(
    [...processes].map(
      (child) =>
        new Promise((resolve) => {
          child.on('close', resolve)
          child.kill('SIGKILL')
        })
    )
  )
}
