// The processes around the measured ones: clips, senders and receivers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const children = new Set<ChildProcess>()
let folder: string | undefined

/** A folder that `closePeers` removes. */
export function peerFolder(name = ''): string {
  folder ??= mkdtempSync(join(tmpdir(), 'headend-bench-'))
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** Starts a process that `closePeers` ends. */
export function startPeer(program: string, args: readonly (string | number)[]): ChildProcess {
  const child = spawn(program, args.map(String), { stdio: ['pipe', 'pipe', 'ignore'] })
  children.add(child)
  child.on('close', () => children.delete(child))
  return child
}

/** Starts ffmpeg. */
export const startFfmpeg = (args: readonly (string | number)[]): ChildProcess =>
  startPeer('ffmpeg', ['-v', 'error', '-nostdin', ...args])

/** Ends all processes that were started, and removes their files. */
export async function closePeers(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    })
  )
  if (folder) rmSync(folder, { recursive: true, force: true })
  folder = undefined
}

/**
 * Encodes a clip of 20 s with 25 frames per second. @param kbps of the video, constant @param keyDistance frames
 * between two key frames
 */
export function encodeClip(
  kbps: number,
  audio: 'aac' | 'libmp3lame' = 'aac',
  { size = '1280x720', keyDistance = 25 } = {}
): string {
  const path = join(peerFolder(), `clip-${kbps}.ts`)
  const encoded = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`, '-f', 'lavfi', '-i', 'sine=f=440:r=48000'],
    ...[
      '-t',
      '20',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      String(keyDistance),
      '-b:v',
      `${kbps}k`,
      '-minrate',
      `${kbps}k`
    ],
    ...['-maxrate', `${kbps}k`, '-bufsize', `${kbps / 2}k`, '-nal-hrd', 'cbr', '-pix_fmt', 'yuv420p', '-c:a', audio],
    ...['-f', 'mpegts', '-y', path]
  ])
  if (encoded.status !== 0) throw new Error(`The clip cannot be encoded: ${encoded.stderr}`)
  return path
}

/** ffmpeg options that read a clip in real time, in a loop. */
export const loop = (clip: string): string[] => ['-re', '-stream_loop', '-1', '-i', clip, '-map', '0', '-c', 'copy']

/** Compiles a program of `bench/native`. Returns its path. */
function compile(name: string, ...libraries: string[]): string {
  const path = join(peerFolder(), name)
  const source = join(import.meta.dirname, `../native/${name}.c`)
  const compiled = spawnSync('cc', [
    '-std=gnu11',
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-o',
    path,
    source,
    ...libraries
  ])
  if (compiled.status !== 0) throw new Error(`${name} cannot be compiled: ${compiled.stderr}`)
  return path
}

/** Compiles the native sender and receiver. Returns its path. */
export const compilePeer = (): string => compile('stream-peer')

/** Compiles the minimal program for a channel from SRT to SRT. Returns its path. */
export const compileSrtFloor = (): string => compile('srt-floor', '-lsrt-gnutls', '-lpthread')

export interface PortCount {
  bytes: number
  packets: number
  /** Gaps in the continuity counters. */
  gaps: number
}

export interface Counts {
  ports: PortCount[]
  /** Number of times between two datagrams at the first port, by their length in units of 10 microseconds. */
  steps: ReadonlyMap<number, number>
}

/** Receives datagrams at ports and counts them. Returns a function that reads the counts. */
export function startCounter(peer: string, ports: readonly number[]): () => Promise<Counts> {
  const child = startPeer(peer, ['count', ...ports])
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return async () => {
    child.stdin?.write('\n')
    const [line] = (await once(lines, 'line')) as [string]
    const report = JSON.parse(line) as { ports: [number, number, number][]; steps: Record<string, number> }
    return {
      ports: report.ports.map(([bytes, packets, gaps]) => ({ bytes, packets, gaps })),
      steps: new Map(Object.entries(report.steps).map(([step, count]) => [Number(step), count]))
    }
  }
}
