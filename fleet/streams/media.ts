// Clips that devices push. They are encoded once, and looped without re-encoding.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, spawnWithDeathSignal } from '../process/child-process.ts'
import { hashOf } from '../random.ts'

/** Video sources as ffmpeg filters, and the frequency of the tone in Hz. */
const CLIPS = [
  { picture: 'testsrc2=size=1280x720:rate=25', tone: 440 },
  {
    picture:
      'smptehdbars=size=1280x720:rate=25[bars];color=white:size=60x720:rate=25[bar];' +
      "[bars][bar]overlay=x='mod(t*160,1280)',noise=alls=12:allf=t",
    tone: 523
  },
  {
    picture:
      'gradients=size=1280x720:rate=25:c0=0x204080:c1=0xd06020:x0=0:y0=0:x1=1279:y1=719:speed=0.02,noise=alls=12:allf=t',
    tone: 587
  },
  { picture: 'testsrc2=size=1280x720:rate=25,hue=h=120,hflip,vflip', tone: 659 }
] as const

/**
 * Length of a clip in seconds. A multiple of 8, so that a video frame (1/25 s), an AAC frame (1024/48000 s) and a group
 * of pictures (1 s) end at the same time. Otherwise there would be a gap in one of the tracks at each repetition.
 */
const LENGTH = 16

interface ClipOptions {
  picture: string
  tone: number
  /** Seconds; a multiple of 8. */
  length?: number
}

/** Arguments with which ffmpeg encodes a clip: H.264 without B-frames at about 2 Mbps, and AAC. */
export function encodeArguments({ picture, tone, length = LENGTH }: ClipOptions, file: string): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y'],
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=48000`],
    ...['-map', '0:v', '-map', '1:a', '-t', String(length)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '25', '-keyint_min', '25'],
    ...['-sc_threshold', '0', '-b:v', '2000k', '-maxrate', '2200k', '-bufsize', '2000k'],
    ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
    // The AAC encoder starts with a frame of silence before time 0, which would cause a gap in the sound at each
    // repetition.
    ...['-bsf:a', "noise=drop='lt(pts,0)'"],
    ...['-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', file]
  ]
}

const folderOf = (fleet: string) => join(fleet, 'media')
const fileOf = (fleet: string, index: number) => join(folderOf(fleet), `clip-${index + 1}.ts`)

/** Path of a device's clip in the fleet's folder; undefined if it is not encoded yet. */
export function clipPath(fleet: string, sn: string): string | undefined {
  const file = fileOf(fleet, hashOf(sn) % CLIPS.length)
  return existsSync(file) ? file : undefined
}

interface Encoding {
  /** Resolves when all clips are encoded or have failed. */
  done: Promise<void>
  stop(): void
}

/** Encodes the missing clips one after the other, with low priority. */
export function encodeClips(fleet: string, log: (text: string) => void): Encoding {
  let isStopped = false
  let current: ReturnType<typeof spawnWithDeathSignal> | undefined

  function encode(index: number, file: string): Promise<boolean> {
    // Devices that start at the same time share the folder.
    const part = `${file}.${process.pid}.part`
    const clip = CLIPS[index] as ClipOptions
    return new Promise((resolve) => {
      const nice = findProgram('nice')
      const command = nice ? [nice, '-n', '15', 'ffmpeg'] : ['ffmpeg']
      const [program = 'ffmpeg', ...before] = command
      const child = spawnWithDeathSignal(program, [...before, ...encodeArguments(clip, part)], {
        stdio: ['ignore', 'ignore', 'pipe']
      })
      current = child
      let messages = ''
      child.stderr?.on('data', (chunk) => {
        messages = (messages + chunk).slice(-500)
      })
      child.on('error', () => resolve(false))
      child.on('close', (code) => {
        if (code === 0) renameSync(part, file)
        else {
          rmSync(part, { force: true })
          if (!isStopped) log(`A clip could not be encoded: ${messages.trim() || `ffmpeg ended with status ${code}`}`)
        }
        resolve(code === 0)
      })
    })
  }

  async function encodeMissing(): Promise<void> {
    const missing = CLIPS.map((_, index) => index).filter((index) => !existsSync(fileOf(fleet, index)))
    if (missing.length === 0) return
    if (!findProgram('ffmpeg'))
      return log('Devices cannot push streams, because ffmpeg is not installed (apt-get install -y ffmpeg).')
    mkdirSync(folderOf(fleet), { recursive: true })
    for (const index of missing) if (!isStopped) await encode(index, fileOf(fleet, index))
  }

  return {
    done: encodeMissing(),
    stop() {
      isStopped = true
      current?.kill('SIGKILL')
    }
  }
}
