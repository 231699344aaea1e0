// Text for the format of a stream: 'H.264 High 4.1, 1080p25, key frame every 2 s; AAC stereo, 48 kHz'.
import type { AudioFormat, ConfiguredFormat, StreamFormat, VideoFormat } from '../../contract/stream/format.ts'
import { type Translation, t } from './language.ts'
import { number } from './numbers.ts'

const TEXT = {
  keyFrames: ['key frame every {0} s', '关键帧间隔 {0} 秒'],
  mono: ['mono', '单声道'],
  stereo: ['stereo', '立体声'],
  channels: ['{0} channels', '{0} 声道'],
  fps: ['{0} frames per second', '每秒 {0} 帧'],
  notCarried: ['{0} (not supported)', '{0}（不支持）'],
  program: ['program {0}', '节目 {0}']
} as const satisfies Record<string, Translation>

/** Widths of the pictures that are named by their height alone: '1080p25'. */
const WIDESCREEN: Readonly<Record<number, number>> = { 720: 1280, 1080: 1920, 2160: 3840 }

/**
 * Size and rate of a picture: '1080p25', '1080i50', '640x360p29.97'. As usual in broadcasting, the number after 'i'
 * counts fields. Empty if the size is unknown.
 */
export function pictureFormat({ width, height, fps, interlaced }: VideoFormat): string {
  if (!width || !height) return ''
  const size = WIDESCREEN[height] === width ? `${height}` : `${width}x${height}`
  return `${size}${interlaced ? 'i' : 'p'}${fps ? number(interlaced ? 2 * fps : fps, 2) : ''}`
}

/** 'H.264 High 4.1, 1080p25, key frame every 2 s' */
export function videoText(video: VideoFormat): string {
  const interval = video['key-interval-s']
  return joined(
    [
      joined([video.codec, video.profile, video.level], ' '),
      pictureFormat(video),
      interval && t(TEXT.keyFrames, number(interval, 1))
    ],
    ', '
  )
}

/** 'AAC stereo, 48 kHz' */
export function audioText({ codec, channels, 'sample-rate': rate }: AudioFormat): string {
  return joined(
    [joined([codec, channels && channelsText(channels)], ' '), rate && `${number(rate / 1000, 1)} kHz`],
    ', '
  )
}

/** The whole format on one line: video, each audio track, and the tracks that are not passed on. */
export const formatText = ({ video, audio, 'not-carried': uncarried = [] }: StreamFormat): string =>
  joined(
    [video && videoText(video), ...audio.map(audioText), ...uncarried.map((codec) => t(TEXT.notCarried, codec))],
    '; '
  )

/** '1920x1080, 50 frames per second, stereo'; empty if nothing is configured. */
export const configuredText = ({ width, height, fps, channels, program }: ConfiguredFormat): string =>
  joined(
    [
      width && height && `${width}x${height}`,
      fps && t(TEXT.fps, number(fps, 2)),
      channels && channelsText(channels),
      program && t(TEXT.program, program)
    ],
    ', '
  )

function channelsText(channels: number): string {
  if (channels === 1) return t(TEXT.mono)
  return channels === 2 ? t(TEXT.stereo) : t(TEXT.channels, channels === 6 ? '5.1' : channels)
}

const joined = (parts: readonly unknown[], separator: string): string => parts.filter(Boolean).join(separator)
