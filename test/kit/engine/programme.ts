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

const SCENES: readonly Scene[] = [
  { seconds: 10, video: `testsrc2=${SIZE}`, audio: MUSIC },
  // A cut, and a fade to black with a pause.
  {
    seconds: 15,
    video: `mandelbrot=${SIZE},fade=t=out:st=9:d=2,fade=t=in:st=14:d=1:enable='gte(t,14)'`,
    audio: SPEECH
  },
  // A slide for most of a minute, with speech.
  { seconds: 50, video: `smptebars=${SIZE}`, audio: SPEECH },
  // Credits: white lines that scroll over black.
  {
    seconds: 25,
    video: `color=black:${SIZE},drawgrid=w=160:h=9:t=1:c=white,drawbox=w=50:h=90:c=black:t=fill,drawbox=x=110:w=50:h=90:c=black:t=fill,scroll=vertical=0.005`,
    audio: MUSIC
  }
]

/** Length of the programme in seconds. */
export const PROGRAMME_SECONDS = SCENES.reduce((sum, { seconds }) => sum + seconds, 0)
/** Seconds between its key frames. */
export const PROGRAMME_KEY_INTERVAL = 2

/** Encodes the programme, H.264 with AAC. @param first number of the scene with which it begins, 0-3 */
export function encodeProgramme(path: string, first = 0): void {
  const scenes = [...SCENES.slice(first), ...SCENES.slice(0, first)]
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
