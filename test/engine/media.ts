// Real media for the stream tests: a tiny clip encoded once, senders that loop it, and independent receivers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'

const folder = mkdtempSync(join(tmpdir(), 'headend-media-'))
const running = new Set<ChildProcess>()
const encoded = new Map<number, string>()

/** Path of a clip of 160 x 90, 25 frames a second, a key frame every half second, H.264 with AAC. */
export function clip(seconds = 4): string {
  const known = encoded.get(seconds)
  if (known) return known
  const path = join(folder, seconds === 4 ? 'clip.ts' : `clip-${seconds}.ts`)
  const made = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=f=440:r=44100'],
    ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '12', '-pix_fmt', 'yuv420p'],
    ...['-b:v', '200k', '-c:a', 'aac', '-b:a', '64k', '-f', 'mpegts', path]
  ])
  if (made.status !== 0) throw new Error(`the clip cannot be encoded: ${made.stderr}`)
  encoded.set(seconds, path)
  return path
}

export interface Running {
  /** All it has written on stdout and stderr. */
  text(): string
  /** Resolves with the exit code; null after a signal. */
  done: Promise<number | null>
  pid: number
  running(): boolean
  /** SIGKILL, unless told otherwise. */
  kill(signal?: 'SIGTERM'): Promise<void>
}

/** Runs ffmpeg (or another program) until the test ends. */
export function run(args: readonly string[], program = 'ffmpeg'): Running {
  const child = spawn(program, program === 'ffmpeg' ? ['-hide_banner', '-nostdin', ...args] : args, {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  running.add(child)
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  child.stderr.on('data', (data) => {
    text += data
  })
  const done = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  return {
    text: () => text,
    done,
    pid: child.pid ?? 0,
    running: () => running.has(child),
    async kill(signal) {
      child.kill(signal ?? 'SIGKILL')
      await done
    }
  }
}

/** Sends the clip for ever, without encoding. */
export function send(format: 'mpegts' | 'flv', ...target: string[]): Running {
  return run(['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', format, ...target])
}

/** Decodes `frames` pictures of a stream and answers their codec line and the hash of each. */
export async function look(url: string, frames = 10, before: readonly string[] = []): Promise<Seen> {
  const receiver = run([
    ...['-v', 'info', '-nostats', '-probesize', '200000', '-analyzeduration', '500000', ...before, '-i', url],
    ...['-map', '0:v:0', '-frames:v', String(frames), '-f', 'framemd5', '-']
  ])
  await receiver.done
  const hashes = [...receiver.text().matchAll(/^0,.*, *([0-9a-f]{32})$/gm)].map((match) => match[1] ?? '')
  return {
    codec: /Video: (\w+)/.exec(receiver.text())?.[1],
    pictures: hashes.length,
    different: new Set(hashes).size,
    text: receiver.text()
  }
}
export interface Seen {
  codec: string | undefined
  pictures: number
  different: number
  text: string
}

/** Waits for a condition, and fails with `what` when it does not come true. */
export async function until(what: string | (() => string), condition: () => boolean, patience = 15_000): Promise<void> {
  const end = performance.now() + patience
  while (!condition()) {
    if (performance.now() > end) throw new Error(`in vain: ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** A receiver that stays: counts the bytes it is given and when. */
export function receive(url: string, before: readonly string[] = []): Receiver {
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-probesize', '32', '-analyzeduration', '0', ...before],
      ...['-f', 'data', '-i', url, '-map', '0', '-c', 'copy', '-f', 'data', '-flush_packets', '1', 'pipe:1']
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] }
  )
  running.add(child)
  child.on('close', () => running.delete(child))
  let bytes = 0
  let longest = 0
  let last: number | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    const now = performance.now()
    if (last !== undefined) longest = Math.max(longest, now - last)
    // Not from the first bytes on: those are null packets, and then it waits for a key frame.
    if (bytes > 1316) last = now
    bytes += chunk.length
  })
  return { bytes: () => bytes, gap: () => longest, running: () => running.has(child) }
}
export interface Receiver {
  bytes(): number
  /** The longest time without a byte since the stream began, in milliseconds. */
  gap(): number
  running(): boolean
}

/** Has the clip be encoded before the tests of a suite, and what they started be ended after them. */
export function mediaFor(test: Pick<Test, 'before' | 'after'>): void {
  test.before(() => {
    clip()
  })
  test.after(endAll)
}

/** Ends what the tests started. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((resolve) => {
          child.on('close', resolve)
          child.kill('SIGKILL')
        })
    )
  )
  rmSync(folder, { recursive: true, force: true })
}
