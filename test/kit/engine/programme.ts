// A programme that looks and sounds like a real one, without a fault: cuts, fades to black, a slide, credits, and quiet
// speech with pauses.
import { spawnSync } from 'node:child_process'

const SIZE = 's=160x90:r=25'

/** Pink noise with -30 dBFS, in words and pauses of up to 3 s. */
const SPEECH = `anoisesrc=c=pink:a=0.1:r=48000,volume='if(lt(mod(t,7),4),if(lt(mod(t,0.4),0.3),1,0.05),0)':eval=frame`
const MUSIC = 'aevalsrc=0.3*sin(440*PI*t)*(1+sin(3*t))|0.3*sin(660*PI*t)*(1+sin(2*t)):s=48000'

interface Scene {
  seconds: number
  video: string
  audio: string
}

const moving = (seconds: number, audio = MUSIC): Scene => ({ seconds, video: `testsrc2=${SIZE}`, audio })

/** A cut to a picture that fades to black, and stays so for some seconds. */
const fading = (seconds: number, black: number, audio = SPEECH): Scene => ({
  seconds,
  video: `mandelbrot=${SIZE},fade=t=out:st=${seconds - black - 2}:d=2`,
  audio
})

const slide = (seconds: number, picture: string, audio = SPEECH): Scene => ({
  seconds,
  video: `${picture}=${SIZE}`,
  audio
})

/** White lines that scroll over black. */
const credits = (seconds: number, audio = MUSIC): Scene => ({
  seconds,
  video: `color=black:${SIZE},drawgrid=w=160:h=9:t=1:c=white,drawbox=w=50:h=90:c=black:t=fill,drawbox=x=110:w=50:h=90:c=black:t=fill,scroll=vertical=0.005`,
  audio
})

/** Less than two minutes. The slide lasts almost as long as a picture may. */
export const PROGRAMME: readonly Scene[] = [moving(10), fading(15, 4), slide(50, 'smptebars'), credits(25)]

/** Seconds between the key frames of a programme. */
export const PROGRAMME_KEY_INTERVAL = 2

export const secondsOf = (scenes: readonly Scene[]): number => scenes.reduce((sum, { seconds }) => sum + seconds, 0)

/** Scenes in an order and with lengths that depend on a number. @param seconds length, at least */
export function variedProgramme(seed: number, seconds: number): Scene[] {
  let state = seed
  // The generator of Park and Miller.
  const random = (min: number, max: number) => {
    state = (state * 48_271) % 2_147_483_647
    return min + (state % (max - min + 1))
  }
  const create = [
    () => moving(random(5, 120), random(0, 1) ? MUSIC : SPEECH),
    () => fading(random(12, 60), random(0, 6)),
    () => slide(random(5, 55), random(0, 1) ? 'smptebars' : 'pal75bars'),
    () => credits(random(10, 60))
  ]
  const scenes: Scene[] = []
  // Two slides in a row would be one picture, or none that moves, for longer than a picture may stand still.
  for (let last = -1; secondsOf(scenes) < seconds; ) {
    const kind = random(0, create.length - 1)
    const scene = kind === last ? undefined : create[kind]?.()
    if (scene) scenes.push(scene)
    last = kind
  }
  return scenes
}

/** Encodes a programme, H.264 with AAC. */
export function encodeProgramme(path: string, scenes: readonly Scene[] = PROGRAMME): void {
  const inputs = scenes.flatMap(({ seconds, video, audio }) =>
    [video, audio].flatMap((filter) => ['-f', 'lavfi', '-t', String(seconds), '-i', filter])
  )
  const streams = scenes.map((_, index) => `[v${index}][a${index}]`).join('')
  const chains = scenes.map(
    (_, index) =>
      `[${2 * index}:v]format=yuv420p,setsar=1[v${index}];[${2 * index + 1}:a]aformat=channel_layouts=stereo[a${index}]`
  )
  const graph = `${chains.join(';')};${streams}concat=n=${scenes.length}:v=1:a=1`
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', ...inputs, '-filter_complex', graph],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(25 * PROGRAMME_KEY_INTERVAL), '-keyint_min', '50'],
    ...['-sc_threshold', '0', '-b:v', '300k', '-c:a', 'aac', '-b:a', '96k', '-f', 'mpegts', '-y', path]
  ])
  if (encoder.status !== 0) throw new Error(`Cannot encode the programme: ${encoder.stderr}`)
}
