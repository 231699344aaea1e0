// Clips with faults of their content, made with filters of ffmpeg.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { clipPath } from './media.ts'

/** Filters of a clip: a picture that moves, and a tone with -20 dBFS, if nothing else is said. */
interface ContentFilters {
  video?: string
  audio?: string
}

const MOVING = 'testsrc2=s=160x90:r=25'
const TONE = 'aevalsrc=0.1*sin(880*PI*t)|0.1*sin(880*PI*t):s=48000'

/** The content of each clip. */
export const CONTENT = {
  good: {},
  black: { video: 'color=black:s=160x90:r=25' },
  frozen: { video: `${MOVING},loop=loop=-1:size=1` },
  silent: { audio: 'anullsrc=r=48000:cl=stereo' },
  'phase-inverted': { audio: 'aevalsrc=0.1*sin(880*PI*t)|-0.1*sin(880*PI*t):s=48000' },
  clipped: { audio: 'aevalsrc=clip(4*sin(880*PI*t)\\,-1\\,1)|clip(4*sin(880*PI*t)\\,-1\\,1):s=48000' },
  loud: { audio: 'aevalsrc=0.6*sin(880*PI*t)|0.6*sin(880*PI*t):s=48000' },
  quiet: { audio: 'aevalsrc=0.004*sin(880*PI*t)|0.004*sin(880*PI*t):s=48000' },
  'unexpected-format': { video: 'testsrc2=s=192x108:r=25' }
} as const satisfies Record<string, ContentFilters>

/** Encodes a clip of 4 s in the folder of `clipPath`, H.264 with AAC and a key frame every half second. */
export function contentClip(name: keyof typeof CONTENT): string {
  const path = `${clipPath()}.${name}.ts`
  if (existsSync(path)) return path
  const { video = MOVING, audio = TONE }: ContentFilters = CONTENT[name]
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', audio, '-t', '4'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '12', '-pix_fmt', 'yuv420p', '-threads', '1', '-b:v', '200k'],
    ...['-c:a', 'aac', '-b:a', '96k', '-f', 'mpegts', '-y', path]
  ])
  if (encoder.status !== 0) throw new Error(`Cannot encode the clip: ${encoder.stderr}`)
  return path
}
