// Names of the kinds of entries of a channel's timeline: in the console, and in the files that the hub writes.
import type { TimelineKind } from '../stream/channel-timeline.ts'
import type { Translation } from './language.ts'

export const TIMELINE_KIND_NAMES: Readonly<Record<TimelineKind, Translation>> = {
  state: ['State', '状态'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  change: ['Change', '更改'],
  viewer: ['Viewer', '观看'],
  system: ['Hub', '中控']
}
