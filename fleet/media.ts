// The clips that devices push: encoded once, looped for ever without encoding again.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { find, spawnGuarded } from './child-process.ts'
import { hashOf } from './random.ts'

/** Moving pictures, as ffmpeg's filters make them, and the pitch of the tone in Hz. */
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
 * Seconds. A multiple of 8: only then do whole video frames (1/25 s) and whole AAC frames (1024/48000 s) end together, with whole
 * groups of pictures of 1 s. Otherwise each turn of the loop would leave a gap in one of the tracks.
 */
const LENGTH = 16

export interface ClipOptions {
  picture: string
  tone: number
  /** Seconds; a multiple of 8. */
  length?: number
}

/** The ffmpeg arguments that encode a clip: H.264 without B-frames, about 2 Mbps, and AAC. */
export function encodeArguments({ picture, tone, length = LENGTH }: ClipOptions, file: string): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y'],
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=48000`],
    ...['-map', '0:v', '-map', '1:a', '-t', String(length)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '25', '-keyint_min', '25'],
    ...['-sc_threshold', '0', '-b:v', '2000k', '-maxrate', '2200k', '-bufsize', '2000k'],
    ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
    // The encoder begins with a frame of silence before time 0; left in, it would be a hole in the sound at each turn.
    ...['-bsf:a', "noise=drop='lt(pts,0)'"],
    ...['-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', file]
  ]
}

const folderOf = (fleet: string) => join(fleet, 'media')
const fileOf = (fleet: string, index: number) => join(folderOf(fleet), `clip-${index + 1}.ts`)

/** The clip of a device in the fleet's folder; undefined while it is not encoded yet. */
export function clipOf(fleet: string, sn: string): string | undefined {
  const file = fileOf(fleet, hashOf(sn) % CLIPS.length)
  return existsSync(file) ? file : undefined
}

export interface Encoding {
  /** When all that can be encoded is. */
  done: Promise<void>
  stop(): void
}

/** Encodes the clips that are missing, one after the other and out of the way of everything else. */
export function encodeClips(fleet: string, log: (text: string) => void): Encoding {
  let stopped = false
  let current: ReturnType<typeof spawnGuarded> | undefined

  function encode(index: number, file: string): Promise<boolean> {
    const part = `${file}.part`
    const clip = CLIPS[index] as ClipOptions
    return new Promise((resolve) => {
      const nice = find('nice')
      const words = nice ? [nice, '-n', '15', 'ffmpeg'] : ['ffmpeg']
      const [program = 'ffmpeg', ...before] = words
      const child = spawnGuarded(program, [...before, ...encodeArguments(clip, part)], {
        stdio: ['ignore', 'ignore', 'pipe']
      })
      current = child
      let said = ''
      child.stderr?.on('data', (chunk) => {
        said = (said + chunk).slice(-500)
      })
      child.on('error', () => resolve(false))
      child.on('close', (code) => {
        if (code === 0) renameSync(part, file)
        else {
          rmSync(part, { force: true })
          if (!stopped) log(`A clip could not be encoded: ${said.trim() || `ffmpeg ended with ${code}`}`)
        }
        resolve(code === 0)
      })
    })
  }

  async function all(): Promise<void> {
    const missing = CLIPS.map((_, index) => index).filter((index) => !existsSync(fileOf(fleet, index)))
    if (missing.length === 0) return
    if (!find('ffmpeg')) return log('No device can push a stream: ffmpeg is missing (apt-get install -y ffmpeg).')
    mkdirSync(folderOf(fleet), { recursive: true })
    for (const index of missing) if (!stopped) await encode(index, fileOf(fleet, index))
  }

  return {
    done: all(),
    stop() {
      stopped = true
      current?.kill('SIGKILL')
    }
  }
}
