// Sentences for the state of the player.
import { TRY_AGAIN, WRONG_STATE } from '../../../contract/codes.ts'
import type { PlayerState } from '../../preview/channel-player.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** Names of codecs by the part of their MIME name before the first point. */
const CODEC_NAMES: Readonly<Record<string, string>> = { avc1: 'H.264', hvc1: 'HEVC', mp4a: 'AAC' }
/** Names of codecs by the object type of `mp4v` (MP4 registration authority). */
const OBJECT_NAMES: Readonly<Record<string, string>> = { 20: 'MPEG-4', '6a': 'MPEG-1' }

/** @param codecs MIME names, separated by commas */
function codecNames(codecs: string): string {
  const names = codecs.split(',').map((codec) => {
    const [type = '', object = ''] = codec.split('.')
    return type === 'mp4v' ? (OBJECT_NAMES[object] ?? 'MPEG-2') : (CODEC_NAMES[type] ?? codec)
  })
  return names.join(', ')
}

/** What the user sees beside the video: empty while it plays with sound. */
export function stateText({ phase, code = 0, codecs = '', missingAudio, isMutedByBrowser }: PlayerState): string {
  if (phase === 'unsupported') return t(TEXT.noCodec, codecNames(codecs))
  if (phase === 'waiting' && code === WRONG_STATE) return t(TEXT.stopped)
  if (phase === 'waiting' && code === TRY_AGAIN) return t(TEXT.noStream)
  if (phase === 'waiting' || phase === 'refused') return codeText(code)
  if (phase === 'connecting') return t(TEXT.connecting)
  if (missingAudio) return t(TEXT.noSound, missingAudio)
  return isMutedByBrowser ? t(TEXT.muted) : ''
}
