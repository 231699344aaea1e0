// Sentences for what a device cannot take over from the place of another one.
import type { SwapLoss } from '../../contract/device/swap.ts'
import { type Language, type Translation, translate } from './language.ts'

const HEADING: Translation = ['The other device cannot take over everything', '另一台设备无法接替全部功能']

const SENTENCES: Readonly<Record<SwapLoss, Translation>> = {
  input: [
    'It sends no stream, but channels use this place as an input. Change their input first.',
    '它不输出码流，但有频道以此位置为输入。请先更改这些频道的输入。'
  ],
  output: [
    'It plays no stream, but a channel has this place as an output. Remove that output first.',
    '它不能播放码流，但有频道以此位置为输出。请先移除该输出。'
  ],
  recording: ['It does not record or stream.', '它不能录制或推流。'],
  connection: ['It has no connection settings.', '它没有连接配置。'],
  picture: ['It has no live picture.', '它没有实时画面。'],
  name: ['It does not accept the name, and keeps its own.', '它不接受该名称，将保留自己的名称。'],
  offline: [
    'It is offline: it gets the name when it is back, and channels wait for it.',
    '它处于离线状态：上线后才会获得该名称，频道会等待它上线。'
  ]
}

/** A heading, and a line that says everything. */
export function lossLines(language: Language, losses: readonly SwapLoss[]): string[] {
  const sentences = losses.map((loss) => translate(language, SENTENCES[loss]))
  return [translate(language, HEADING), sentences.join(language === 'zh' ? '' : ' ')]
}
