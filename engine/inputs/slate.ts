// The still picture that is on air while no input carries: encoded once, a few seconds long, and given again and again by the hub
// itself, so that it costs no process.

import { createTsReader } from '../mpegts/packets.ts'
import { readTables } from '../mpegts/tables.ts'
import type { Launcher } from '../process/launcher.ts'
import type { Tap } from './input.ts'

const PACKET = 188
/** Bytes among which a clip of ours has its tables. */
const TABLES = 10 * PACKET

/** Pictures a second, and seconds of the clip. */
const RATE = 5
const LENGTH = 4
/** Milliseconds. */
const STEP = 1000 / RATE
const PATIENCE = 10_000

/** How the stream before it is made, as stream types of ISO/IEC 13818-1: the slate is made alike, so that no output need be set up anew. */
export type SlateTypes = readonly number[]

const VIDEO: Readonly<Record<number, readonly string[]>> = {
  2: ['mpeg2video', '-b:v', '500k', '-sc_threshold', '0'],
  27: ['libx264', '-preset', 'ultrafast', '-tune', 'stillimage', '-x264-params', 'scenecut=0'],
  36: ['libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:scenecut=0']
}
const AUDIO: Readonly<Record<number, readonly string[]>> = {
  3: ['mp2', '-b:a', '64k'],
  4: ['mp2', '-b:a', '64k'],
  15: ['aac', '-b:a', '32k'],
  129: ['ac3', '-b:a', '96k']
}
const USUAL = [27, 15]

/** What the slate of a stream is made of: a picture, and sound unless the stream has none. What nobody here encodes becomes H.264 and AAC. */
export function slateTypes(types: SlateTypes): number[] {
  const [video = 27] = types.filter((type) => Object.hasOwn(VIDEO, type))
  const [audio = 15] = types.filter((type) => Object.hasOwn(AUDIO, type))
  const silent = types.length > 0 && types.every((type) => !Object.hasOwn(AUDIO, type))
  return types.length === 0 ? USUAL : silent ? [video] : [video, audio]
}

/**
 * Encodes a slate as MPEG-TS with a key frame a second.
 * @param name shown as it is; without a font there is the picture alone
 * @returns undefined when it cannot be encoded
 */
export async function makeSlate(launcher: Launcher, name: string, types: SlateTypes): Promise<Buffer | undefined> {
  const [video = 27, audio] = slateTypes(types)
  // The name comes as a file, for it may hold whatever a filter would take for its own.
  const words = [
    ...['drawtext=textfile=/dev/fd/4', 'expansion=none', `fontsize=${fontSize(name)}`],
    // ffmpeg takes one font for all letters: where this one is not installed, the usual one.
    ...(/\p{scx=Han}|\p{scx=Kana}|\p{scx=Hangul}/u.test(name) ? ['font=Noto Sans CJK SC'] : []),
    ...['fontcolor=white', 'x=(w-tw)/2', 'y=(h-th)/2']
  ].join(':')
  for (const filter of [words, 'null']) {
    const clip = await encode(launcher, name, [
      ...['-f', 'lavfi', '-i', `color=c=0x1b2430:s=1280x720:r=${RATE}`],
      ...(audio === undefined ? [] : ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo']),
      ...['-t', String(LENGTH), '-vf', filter, '-pix_fmt', 'yuv420p'],
      ...['-c:v', ...(VIDEO[video] ?? []), '-g', String(RATE), '-bf', '0'],
      ...(audio === undefined ? [] : ['-c:a', ...(AUDIO[audio] ?? [])]),
      ...['-f', 'mpegts', '-muxdelay', '0', '-muxpreload', '0', 'pipe:1']
    ])
    if (clip) return clip
  }
  return undefined
}

/** Pixels: as large as fits into the picture. */
function fontSize(name: string): number {
  const widths = [...name].reduce((sum, letter) => sum + (letter > '\u00ff' ? 1 : 0.65), 0)
  return Math.min(72, Math.floor(1180 / Math.max(1, widths)))
}

function encode(launcher: Launcher, name: string, args: readonly string[]): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  return new Promise((resolve) => {
    try {
      const process = launcher.run({
        args: ['-hide_banner', '-nostdin', '-v', 'error', ...args],
        preset: name,
        gives: (chunk) => parts.push(chunk),
        ended() {
          clearTimeout(timer)
          resolve(parts.length > 0 ? Buffer.concat(parts) : undefined)
        }
      })
      const timer = setTimeout(() => {
        process.stop()
        resolve(undefined)
      }, PATIENCE).unref()
    } catch {
      resolve(undefined)
    }
  })
}

export interface SlatePlayer {
  stop(): void
}

/**
 * Gives a slate at its own pace, for ever.
 * @param again the clip begins anew: what comes has the times with which the first came
 */
export function playSlate(clip: Buffer, media: Tap['media'], again: () => void): SlatePlayer {
  const parts = cut(clip)
  const began = performance.now()
  let given = 0
  const reader = createTsReader((data, starts) => {
    const tables = reader.tables()
    if (tables) media(data, starts, tables)
  })
  function give(): void {
    const due = Math.floor((performance.now() - began) / STEP)
    // What was missed, as while the machine slept, is left out.
    given = Math.max(given, due - parts.length)
    for (; given <= due; given++) {
      if (given > 0 && given % parts.length === 0) again()
      reader.push(parts[given % parts.length] ?? Buffer.alloc(0))
    }
  }
  const timer = setInterval(give, STEP)
  give()
  return { stop: () => clearInterval(timer) }
}

/** A clip in as many parts as it has pictures: each ends before the packet in which the next picture begins. */
function cut(clip: Buffer): Buffer[] {
  const [video] = readTables(clip.subarray(0, TABLES))?.streams ?? []
  const parts: Buffer[] = []
  let from = 0
  let pictures = 0
  for (let at = 0; at + PACKET <= clip.length; at += PACKET) {
    const pid = clip.readUInt16BE(at + 1)
    if ((pid & 0x4000) === 0 || (pid & 0x1fff) !== video?.pid || pictures++ === 0) continue
    parts.push(clip.subarray(from, at))
    from = at
  }
  return [...parts, clip.subarray(from)]
}
