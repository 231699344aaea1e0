// The slate: an image that is on air while no input is active. It is encoded once as a clip of a few seconds, which the
// engine then repeats itself, without a process.

import type { Launcher } from '../interfaces/launcher.ts'
import type { Tap } from '../interfaces/relay.ts'
import { TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { readTables } from '../mpegts/tables.ts'
import { TsReader } from '../mpegts/ts-reader.ts'

/** Bytes of a clip within which its tables are. */
const TABLES_SEARCH = 10 * TS_PACKET_SIZE

/** Frames per second, and seconds, of a clip. */
const FRAME_RATE = 5
const CLIP_LENGTH = 4
/** Milliseconds of one frame. */
const FRAME_TIME = 1000 / FRAME_RATE
/** Milliseconds. */
const ENCODE_TIMEOUT = 10_000
/** Size in pixels, and the part of the width that text can use. */
const SIZE = '1280x720'
const TEXT_WIDTH = 1180
const FONT_SIZE_MAX = 72

/**
 * Stream types (ISO/IEC 13818-1) of the stream before the slate. The slate uses the same codecs, so that outputs need
 * no new setup.
 */
type SlateTypes = readonly number[]

/** Encoder options by stream type. */
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
/** H.264 and AAC. */
const DEFAULT_TYPES = [27, 15]

/**
 * Stream types of the slate: video, and audio unless the stream has none. Codecs without an encoder become H.264 and
 * AAC.
 */
export function slateStreamTypes(types: SlateTypes): number[] {
  const [video = 27] = types.filter((type) => Object.hasOwn(VIDEO, type))
  const [audio = 15] = types.filter((type) => Object.hasOwn(AUDIO, type))
  const hasNoAudio = types.length > 0 && types.every((type) => !Object.hasOwn(AUDIO, type))
  if (types.length === 0) return DEFAULT_TYPES
  return hasNoAudio ? [video] : [video, audio]
}

/**
 * Encodes a slate as MPEG-TS with one key frame per second.
 * @param name text in the picture; left out if no font is installed
 * @returns undefined if it cannot be encoded
 */
export async function encodeSlate(launcher: Launcher, name: string, types: SlateTypes): Promise<Buffer | undefined> {
  const [video = 27, audio] = slateStreamTypes(types)
  for (const filter of [textFilter(name), 'null']) {
    const clip = await encode(launcher, name, [
      ...['-f', 'lavfi', '-i', `color=c=0x1b2430:s=${SIZE}:r=${FRAME_RATE}`],
      ...(audio === undefined ? [] : ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo']),
      ...['-t', String(CLIP_LENGTH), '-vf', filter, '-pix_fmt', 'yuv420p'],
      ...['-c:v', ...(VIDEO[video] ?? []), '-g', String(FRAME_RATE), '-bf', '0'],
      ...(audio === undefined ? [] : ['-c:a', ...(AUDIO[audio] ?? [])]),
      ...['-f', 'mpegts', '-muxdelay', '0', '-muxpreload', '0', 'pipe:1']
    ])
    if (clip) return clip
  }
  return undefined
}

/** The filter that draws the name, which is passed as a file, because it can contain the syntax of filters. */
function textFilter(name: string): string {
  // ffmpeg uses one font for all letters. If this one is not installed, it uses the default font.
  const isCjk = /\p{scx=Han}|\p{scx=Kana}|\p{scx=Hangul}/u.test(name)
  return [
    'drawtext=textfile=/dev/fd/4',
    'expansion=none',
    `fontsize=${fontSize(name)}`,
    ...(isCjk ? ['font=Noto Sans CJK SC'] : []),
    'fontcolor=white',
    'x=(w-tw)/2',
    'y=(h-th)/2'
  ].join(':')
}

/** Pixels: as large as fits into the picture. */
function fontSize(name: string): number {
  const width = [...name].reduce((sum, letter) => sum + (letter > '\u00ff' ? 1 : 0.65), 0)
  return Math.min(FONT_SIZE_MAX, Math.floor(TEXT_WIDTH / Math.max(1, width)))
}

function encode(launcher: Launcher, name: string, args: readonly string[]): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    try {
      const process = launcher.run({
        args: ['-hide_banner', '-nostdin', '-v', 'error', ...args],
        privateFile: name,
        onStdout: (chunk) => chunks.push(chunk),
        onEnd() {
          clearTimeout(timer)
          resolve(chunks.length > 0 ? Buffer.concat(chunks) : undefined)
        }
      })
      const timer = setTimeout(() => {
        process.stop()
        resolve(undefined)
      }, ENCODE_TIMEOUT).unref()
    } catch {
      resolve(undefined)
    }
  })
}

export interface SlatePlayer {
  stop(): void
}

/**
 * Plays a slate in real time, repeating it until it is stopped.
 * @param onRepeat called before each repetition, whose timestamps start again
 */
export function playSlate(clip: Buffer, media: Tap['media'], onRepeat: () => void): SlatePlayer {
  const frames = splitFrames(clip)
  const startedAt = performance.now()
  /** Frames played. */
  let count = 0
  const reader = new TsReader((data, starts) => {
    const tables = reader.tables()
    if (tables) media(data, starts, tables)
  })
  function playDueFrames(): void {
    const due = Math.floor((performance.now() - startedAt) / FRAME_TIME)
    // Frames of a longer delay, such as suspend of the machine, are skipped.
    count = Math.max(count, due - frames.length)
    for (; count <= due; count++) {
      if (count > 0 && count % frames.length === 0) onRepeat()
      reader.push(frames[count % frames.length] ?? Buffer.alloc(0))
    }
  }
  const timer = setInterval(playDueFrames, FRAME_TIME)
  playDueFrames()
  return { stop: () => clearInterval(timer) }
}

/** Splits a clip into its frames. Each part ends before the packet in which the next frame starts. */
function splitFrames(clip: Buffer): Buffer[] {
  const [video] = readTables(clip.subarray(0, TABLES_SEARCH))?.streams ?? []
  const frames: Buffer[] = []
  let from = 0
  let count = 0
  for (let offset = 0; offset + TS_PACKET_SIZE <= clip.length; offset += TS_PACKET_SIZE) {
    const pid = clip.readUInt16BE(offset + 1)
    if ((pid & 0x4000) === 0 || (pid & 0x1fff) !== video?.pid || count++ === 0) continue
    frames.push(clip.subarray(from, offset))
    from = offset
  }
  return [...frames, clip.subarray(from)]
}
